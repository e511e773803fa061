"""Solutions of games, which the checker has proved, and their certificates.

>>> import misere
>>> kayles = misere.Game("0.77").solve()
>>> kayles.status, kayles.period, kayles.preperiod
('solved', 12, 71)
>>> misere.verify(kayles.certificate()) == kayles
True
"""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Optional, Union

from ._misere import read_certificate, read_claim, verify_construction
from .errors import BadCertificate
from .games import Solution
from .limits import UNLIMITED, Fuel, fuel_of, seconds_of
from .pretending import Partial, PretendingFunction
from .quotients import Quotient

__all__ = ["Partial", "PretendingFunction", "Solution", "verify"]


def verify(
    certificate: "Union[str, bytes, Dict[str, Any], PathLike[str]]",
    *,
    fuel: Fuel = UNLIMITED,
    seconds: Optional[float] = None,
) -> Union[Solution, Quotient]:
    """Proves a certificate from scratch, and returns its claim.

    Parameters
    ----------
    certificate : dict, str, path or bytes
        The JSON of a solution (an object, its text, or the path of a file with it), or its binary
        form. Or the JSON of a quotient of small order with its games, as in the list of
        `misere classify`, which is proved to be the misère quotient of these games.
    fuel, seconds
        The limits, as in `Game.solve`.

    Raises
    ------
    Refuted
        If anything in it is wrong; the text names the first such thing.
    BadCertificate
        If it is not a certificate.
    """
    limits = fuel_of(fuel), seconds_of(seconds)
    # The JSON of every certificate is an object.
    if isinstance(certificate, str) and not certificate.lstrip().startswith("{"):
        try:
            certificate = Path(certificate).read_bytes()
        except (OSError, ValueError) as error:
            raise BadCertificate(f"this is neither JSON nor the path of a file: {error}") from error
    elif isinstance(certificate, PathLike):
        certificate = Path(certificate).read_bytes()
    if isinstance(certificate, (bytes, bytearray, memoryview)):
        data = bytes(certificate)
        if not data.lstrip().startswith(b"{"):
            return Solution(read_certificate(data, *limits))
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadCertificate(f"the text is not UTF-8: {error}") from error
    elif isinstance(certificate, str):
        text = certificate
    else:
        try:
            text = json.dumps(certificate)
        except (TypeError, ValueError) as error:
            raise BadCertificate(f"the object is not JSON: {error}") from error
    if '"code"' not in text and '"rank"' in text:
        verify_construction(text, *limits)
        return Quotient.from_dict(json.loads(text))
    return Solution(read_claim(text, *limits))

"""The atlas: the least games that have each misère quotient of small order.

>>> import misere
>>> atlas = misere.Atlas.open("atlas.json")
>>> atlas
<atlas of 22 misère quotients of order 2 to 14>
>>> for answer in atlas.answers("R_8"):
...     print(answer)
octal codes of at most 2 digits: 0.75
finite games born by day 4: {*3,{*2},*2,0}

`misere report atlas --json` writes the file. docs/atlas.md explains the answers.
"""

from __future__ import annotations

import json
import os
from typing import NamedTuple, Optional, Tuple, Union

from ._misere import AtlasFile
from .census import class_key_of, order_of
from .games import Game
from .quotients import Quotient

__all__ = ["Atlas", "AtlasAnswer"]


class AtlasAnswer(NamedTuple):
    """The answer of the atlas about one quotient and the games of one census."""

    #: The games of the census in words.
    games: str
    #: The digest of the census.
    digest: str
    #: The least game that has the quotient; `None` if no game is known.
    code: Optional[str]
    #: The heap to which the game has it; `None` if it is the quotient of the whole game.
    heap: Optional[int]
    #: The number of games that may have it, if none is known; 0 proves that none has it.
    open: Optional[int]

    def __str__(self) -> str:
        if self.code is None:
            said = "none" if self.open == 0 else f"open: {self.open}"
        else:
            said = self.code if self.heap is None else f"{self.code} to heap {self.heap}"
        return f"{self.games}: {said}"


class Atlas:
    """An atlas that was read from a file and is consistent."""

    def __init__(self, file: AtlasFile) -> None:
        self._file = file

    @classmethod
    def open(cls, path: "Union[str, os.PathLike[str]]") -> "Atlas":
        """Opens the atlas in a file.

        Parameters
        ----------
        path : str or path
            The file.

        Raises
        ------
        BadAtlas
            If it is not an atlas.
        OSError
            If it cannot be read.
        """
        return cls(AtlasFile.read(os.fspath(path)))

    @property
    def hash(self) -> str:
        """The hash of the file."""
        return self._file.hash()

    @property
    def games(self) -> Tuple[str, ...]:
        """The games of each census in which the quotients were sought, in words."""
        return tuple(self._file.games())

    def answers(self, quotient: Union[Quotient, str, Game]) -> Tuple[AtlasAnswer, ...]:
        """Returns the answer of each census; none if the quotient is not in the list of the atlas.

        Parameters
        ----------
        quotient : Quotient, str or Game
            The quotient, its name, presentation or key, or a game that has it.
        """
        about = json.loads(self._file.about(class_key_of(quotient), order_of(quotient)))
        return tuple(
            AtlasAnswer(
                games,
                answer["digest"],
                answer.get("code"),
                answer.get("heap"),
                0 if answer["answer"] == "none" else answer.get("open"),
            )
            for games, answer in zip(self.games, about["answers"])
        )

    def sentences(self, quotient: Union[Quotient, str, Game]) -> Tuple[str, ...]:
        """Describes a quotient by the atlas, in words, also where the list does not have it.

        Parameters
        ----------
        quotient : Quotient, str or Game
            The quotient, as in `Atlas.answers`.
        """
        return tuple(self._file.sentences(class_key_of(quotient), order_of(quotient)))

    def __len__(self) -> int:
        return len(self._file)

    def __repr__(self) -> str:
        return f"<atlas of {self._file.extent()}>"

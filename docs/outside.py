"""The preprocessor of the book for links to files of the repository that are not pages.

Such a link works on a code host, and leads nowhere in the book. The book shows its text, and the
path of the file behind it.
"""

import json
import re
import sys

# A link whose address begins with as many `../` as lead out of the folder of the pages.
LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+)([^)]*)\)")


def shown(page: str, depth: int) -> str:
    def without(link: re.Match) -> str:
        text, up, path = link.groups()
        if up.count("../") <= depth:
            return link.group(0)
        path = path.split("#")[0]
        return text if path in text else f"{text} (`{path}`)"

    return LINK.sub(without, page)


def walk(items: list) -> None:
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter is None:
            continue
        depth = (chapter.get("source_path") or "").count("/")
        chapter["content"] = shown(chapter["content"], depth)
        walk(chapter["sub_items"])


if len(sys.argv) > 1 and sys.argv[1] == "supports":
    sys.exit(0)
_, book = json.load(sys.stdin)
walk(book.get("items") or book.get("sections") or [])
json.dump(book, sys.stdout)

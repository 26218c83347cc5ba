"""A hook of mkdocs: links to files outside of docs/, which the site does not have, become the name
of the file."""
import posixpath
import re

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")


def on_page_markdown(markdown, page, **_):
    folder = posixpath.dirname(page.file.src_path.replace("\\", "/"))

    def plain(match):
        text, target = match[1], match[2]
        if "://" in target or target.startswith("#"):
            return match[0]
        path = posixpath.normpath(posixpath.join(folder, target.partition("#")[0]))
        if not path.startswith("../"):
            return match[0] if posixpath.splitext(path)[1] else text  # a folder is no page
        return text if text.startswith("`") else f"{text} (`{path[3:]}`)"

    return LINK.sub(plain, markdown)

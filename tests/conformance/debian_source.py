"""Source packages of Debian, from the mirror that the machine's package sources name."""
import glob
import os
import re
import shutil
import subprocess


class Unavailable(Exception):
    """The package cannot be had; the text says why."""


def source_lists():
    """The machine's package sources, as sources of source packages."""
    lines = []
    for path in ["/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*.list")]:
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                lines += [
                    line.replace("deb ", "deb-src ", 1) for line in f if line.startswith("deb ")
                ]
    text = []
    for path in glob.glob("/etc/apt/sources.list.d/*.sources"):
        with open(path, encoding="utf-8") as f:
            text.append(re.sub(r"(?m)^Types:.*$", "Types: deb-src", f.read()))
    return "".join(lines), "\n\n".join(text)


def download(package, target, patterns):
    """Makes the folder `target` anew with what the package's upstream archive holds under the
    patterns (of tar). Nothing on the machine is changed beside it. Raises Unavailable."""
    shutil.rmtree(target, ignore_errors=True)
    for folder in ("lists/partial", "sources"):
        os.makedirs(os.path.join(target, folder))
    lines, blocks = source_lists()
    for name, text in (("sources/a.list", lines), ("sources/b.sources", blocks)):
        with open(os.path.join(target, name), "w", encoding="utf-8") as f:
            f.write(text)
    options = [
        "-q",
        "-o",
        "Dir::Etc::SourceList=/dev/null",
        "-o",
        f"Dir::Etc::SourceParts={target}/sources",
        "-o",
        f"Dir::State::Lists={target}/lists",
        "-o",
        "Dir::Cache::pkgcache=",
        "-o",
        "Dir::Cache::srcpkgcache=",
    ]
    try:
        subprocess.run(["apt-get", *options, "update"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(
            ["apt-get", *options, "source", "--download-only", "--tar-only", package],
            cwd=target,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        archive = glob.glob(os.path.join(target, f"{package}_*.orig.tar.*"))[0]
        subprocess.run(["tar", "-C", target, "-xf", archive, "--wildcards", *patterns], check=True)
    except (subprocess.CalledProcessError, IndexError, OSError) as e:
        raise Unavailable(str(e)) from e
    os.remove(archive)
    for folder in ("lists", "sources"):
        shutil.rmtree(os.path.join(target, folder))

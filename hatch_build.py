"""The project's address on the web, where it is known: for the package and the site."""

import os
import re
import subprocess
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface


def public_url(root: Path) -> str | None:
    """Return the repository's web address: RESIZELAB_URL, else the git remote.

    A remote that is not on the web (a folder, say) gives None; a user name or token
    in the remote's address is dropped.
    """
    if "RESIZELAB_URL" in os.environ:
        return os.environ["RESIZELAB_URL"].removesuffix("/") or None
    git = ["git", "remote", "get-url", "origin"]
    try:
        done = subprocess.run(git, cwd=root, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    pattern = r"(?:https?://|ssh://|)(?:[^@/]*@)?([\w.-]+\.\w+)[:/](.+?)(?:\.git)?/?\s*"
    found = re.fullmatch(pattern, done.stdout)
    if found is None or done.stdout.startswith((".", "/")):
        return None
    return f"https://{found[1]}/{found[2]}"


def site_url(root: Path) -> str | None:
    """Return where the book is published, up to its last slash, if that is known.

    That is RESIZELAB_SITE, else the pages of a repository at GitHub or GitLab.
    """
    if told := os.environ.get("RESIZELAB_SITE"):
        return told.removesuffix("/") + "/"
    known = r"https://(github|gitlab)\.com/([\w.-]+)/([\w.-]+)"
    found = re.fullmatch(known, public_url(root) or "")
    if found is None:
        return None
    host, owner, name = found.groups()
    pages = f"{owner}.{host}.io".lower()
    return f"https://{pages}/" + ("" if name.lower() == pages else f"{name}/")


class Address(MetadataHookInterface):
    """Gives the package its Project-URLs."""

    def update(self, metadata: dict) -> None:
        """Add the addresses of sources, reports and changes, if there are any."""
        url = public_url(Path(self.root))
        changes = f"{url}/blob/main/CHANGELOG.md"
        known = {"Source": url, "Issues": f"{url}/issues", "Changelog": changes}
        metadata["urls"] = known if url else {}

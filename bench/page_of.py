#!/usr/bin/env python3
"""The report page as an earlier commit drew it, with the data of a page of today.

    python3 bench/page_of.py COMMIT REPORT.html OUT.html

A page is a shell, scripts, styles and data. The data are taken from REPORT.html and all the rest from the commit,
joined as crates/cento-report/src/page does it; no program of that commit has to be built.
"""

import base64
import hashlib
import pathlib
import re
import subprocess
import sys

REPORT = "crates/cento-report"


def shown(commit, path):
    return subprocess.run(["git", "show", f"{commit}:{path}"], check=True, text=True, stdout=subprocess.PIPE,
                          cwd=pathlib.Path(__file__).parent).stdout


def parts(commit, name):
    """The files of a list in page/mod.rs, joined in its order."""
    source = shown(commit, f"{REPORT}/src/page/mod.rs")
    listed = re.search(rf"const {name}: .*?\];", source, re.S).group()
    files = re.findall(r'include_str!\("\.\./\.\./(.+?)"\)', listed)
    return "\n" + "\n".join(shown(commit, f"{REPORT}/{file}") for file in files)


def main():
    commit, report, out = sys.argv[1:]
    data = re.findall(r'<script type="text/plain" id="cento-[a-z]+">[^<]*</script>\n', pathlib.Path(report).read_text())
    if not data:
        sys.exit(f"{report} is no report page")
    script, style = parts(commit, "SCRIPTS"), parts(commit, "STYLES")

    def digest(text):
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest(script)}'; style-src 'sha256-{digest(style)}'; base-uri 'none'"
    values = {"version": "before", "policy": policy, "style": style, "script": script, "data": "".join(data)}
    shell = shown(commit, f"{REPORT}/ui/shell.html")
    pathlib.Path(out).write_text(re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], shell))


if __name__ == "__main__":
    main()

"""The page built into the package: its types match the server's, its words are complete, and it requests nothing from other servers."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import httpx
import pytest
from serving import serving

WEB = Path(__file__).parent.parent / "web"
BUILT = Path(__file__).parent.parent / "src" / "kortlek" / "page"
sys.path.append(str(WEB))


def words(language: str) -> dict[str, set[str]]:
    """Every message id of a language, and the variables of its text."""
    text = (WEB / "src" / "words" / f"{language}.ftl").read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    for entry in re.split(r"\n(?=[a-z])", text.strip()):
        name, _, rest = entry.partition(" = ")
        assert name not in found, name
        found[name] = set(re.findall(r"\$(\w+)", rest))
    return found


def test_the_types_of_the_page_are_those_of_the_server() -> None:
    import protocol_types

    assert (WEB / "src" / "lib" / "types.ts").read_text(encoding="utf-8") == protocol_types.all_types(), "run make types"


def test_every_language_has_the_same_words_about_the_same_things() -> None:
    assert words("en") == words("sv")


def test_every_word_that_the_page_says_is_there() -> None:
    known = words("en")
    for source in (WEB / "src").rglob("*.svelte"):
        for said in re.findall(r"say\('([a-z-]+)'", source.read_text(encoding="utf-8")):
            assert said in known, f"{source.name} says {said}"


def test_versions_are_exact_so_that_every_machine_builds_the_same_page() -> None:
    versions = re.findall(r'"(@?[\w/-]+)": "([^"]+)"', (WEB / "package.json").read_text(encoding="utf-8").partition("devDependencies")[2])
    assert versions
    for name, version in versions:
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name


def test_the_built_page_names_no_other_host() -> None:
    assert (BUILT / "index.html").is_file(), "run make page"
    namespaces = {"http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML", "http://www.w3.org/1999/xhtml", "http://www.w3.org/1999/xlink"}
    for path in BUILT.rglob("*"):
        if path.suffix in (".html", ".js", ".css"):
            hosts = set(re.findall(r"https?://[\w./-]+", path.read_text(encoding="utf-8"))) - namespaces
            assert {host for host in hosts if not host.startswith("https://svelte.dev/e/")} == set(), path.name


def test_the_server_gives_the_page_and_lets_it_ask_nobody_else(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        import urllib.request

        for address in ("/", "/t/bk7q2x", "/rules/plump"):
            with urllib.request.urlopen(server.url + address) as answer:
                assert 'id="page"' in answer.read().decode()
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "http" not in policy
        script = re.findall(r'src="(/assets/[^"]+)"', (BUILT / "index.html").read_text())
        for address, kind in [(script[0], "javascript"), ("/faces/four/HQ.svg", "svg"), ("/faces/two-small/S2.svg", "svg"), ("/mark.svg", "svg")]:
            with urllib.request.urlopen(server.url + address) as answer:
                assert kind in answer.headers["Content-Type"]
                assert "max-age" in answer.headers["Cache-Control"]


def test_the_page_is_sent_compressed_and_what_tables_say_is_not(tmp_path: Path) -> None:
    """The compressed length of a message could reveal its content."""
    with serving(tmp_path) as server, httpx.Client(base_url=server.url, headers={"Accept-Encoding": "gzip"}) as browser:
        first = browser.get("/")
        sent = [first, *(browser.get(asset) for asset in re.findall(r'"(/assets/[^"]+)"', first.text))]
        assert len(sent) > 2
        assert all(each.headers["Content-Encoding"] == "gzip" for each in sent)
        assert sum(each.num_bytes_downloaded for each in sent) < 150_000
        for picture in ("/faces/four/HQ.svg", "/faces/four.json"):
            assert browser.get(picture).headers["Content-Encoding"] == "gzip"
        code = browser.post("/api/tables", json={"game": "plump", "name": "Ann"}).json()["code"]
        for address in ("/api/games", f"/api/tables/{code}"):
            assert "Content-Encoding" not in browser.get(address).headers


def test_a_file_that_the_page_does_not_have_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        for name in ("none.svg", "four", "%00", "a" * 3000, "%2e%2e/index.html", "..%2f..%2f__init__.py", "%ff", "four.json/x"):
            answer = httpx.get(f"{server.url}/faces/{name}")
            assert answer.status_code == 404, name
            why = {"id": "refuse-request", "args": {"text": "there is no such file"}}
            assert answer.json() == {"code": "unknown", "message": why, "sentence": "This cannot be done: there is no such file."}


def test_whoever_asks_only_whether_the_page_is_there_is_told_so(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        for address in ("/", "/mark.svg", "/faces/four.json", "/t/bk7q2x"):
            answer = httpx.head(server.url + address)
            assert (answer.status_code, answer.content) == (200, b"")
            assert int(answer.headers["Content-Length"]) > 100


def test_a_browser_that_cannot_unpack_gets_the_same_files(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        for name in ("faces/four/HQ.svg", "faces/four.json", "index.html"):
            address = f"{server.url}/{name.removesuffix('index.html')}"
            plain, packed = httpx.get(address, headers={"Accept-Encoding": "identity"}), httpx.get(address)
            assert "Content-Encoding" not in plain.headers
            assert packed.headers["Content-Encoding"] == "gzip"
            assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
            assert plain.content == packed.content == (BUILT / name).read_bytes()


@pytest.mark.parametrize("deck", ["four", "two", "four-small", "two-small"])
def test_every_deck_has_every_french_card(deck: str) -> None:
    drawn = {path.stem: path.read_text() for path in (BUILT / "faces" / deck).glob("*.svg")}
    assert drawn.keys() == {suit + rank for suit in "CDHS" for rank in "23456789TJQKA"}
    assert json.loads((BUILT / "faces" / f"{deck}.json").read_text()) == drawn, "one by one or all at once"

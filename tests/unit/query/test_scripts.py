"""Searches in scripts without spaces between words, and for words with accents."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from bundles import built, opened

from hardtack.build.pipeline import BuildOptions
from hardtack.nouns.model import ModeName
from hardtack.query.lookup.lookups import LookUps
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher
from hardtack.text import folded

COMPOSED, DECOMPOSED = "Größenprüfung", unicodedata.normalize("NFD", "Größenprüfung")

FILES = {
    "chinese/cart.py": "# 把商品加入购物车,数量不足时提示用户\ndef add(item):\n    return item\n",
    "chinese/mail.go": "package mail\n\n// 发送验证码邮件,一分钟内不得重复发送\nfunc Send() {}\n",
    "chinese/mixed.py": "# 车上的物品要购买,加满为止\ndef fill(tank):\n    return tank\n",
    "japanese/parser.rb": "# 文字列を解析して構文木を返す。\ndef parse(text)\n  text\nend\n",
    "japanese/upload.py": 'def put(file):\n    """ファイルをアップロードする。バージョンv2を使う。"""\n    return file\n',
    "japanese/half.py": "# ｻｰﾊﾞｰの設定\ndef start():\n    return 1\n",
    "docs/設定手順.md": "# 手順\n\n最初に環境変数を書く。\n\n## 再起動\n\n画面を閉じる。\n",
    "korean/Order.java": "/** 주문을 취소하고 결제를 환불한다 */\nclass Order {\n    void cancel() {}\n}\n",
    "korean/cache.py": "# 캐시가 만료되면 데이터베이스를 다시 읽는다\ndef read():\n    return 1\n",
    "korean/nfd.py": unicodedata.normalize("NFD", "# 비밀번호 암호화\ndef hide():\n    return 1\n"),
    "thai/stock.py": "# ตรวจสอบจำนวนสินค้าคงเหลือก่อนสั่งซื้อ\ndef check():\n    return 1\n",
    "thai/login.py": "# ผู้ใช้ต้องเข้าสู่ระบบด้วยรหัสผ่าน\ndef enter():\n    return 1\n",
    "thai/report.md": "# รายงานประจำเดือน\n\nส่งออกเป็นไฟล์\n",
    "lao/save.py": "# ບັນທຶກຂໍ້ມູນລູກຄ້າ\ndef save():\n    return 1\n",
    "khmer/print.py": "# បោះពុម្ពវិក្កយបត្រ\ndef show():\n    return 1\n",
    "burmese/wait.py": "# အချက်အလက်များကို စောင့်ဆိုင်းပါ\ndef wait():\n    return 1\n",
    "french/invoice.py": "# Crée une facture détaillée pour le café\ndef invoice():\n    return 1\n",
    "german/road.py": "# Die Straße führt über die Brücke\ndef road():\n    return 1\n",
    "vietnamese/sign.py": "# Đăng nhập bằng mật khẩu của người dùng\ndef sign():\n    return 1\n",
    "turkish/city.py": "# İzmir ve Iğdır için ayarlar\ndef city():\n    return 1\n",
    "russian/fly.py": "# Самолёт летит, пилот ведёт его\ndef fly():\n    return 1\n",
    "greek/speak.py": "# Οι ρυθμίσεις της εφαρμογής, ΚΩΔΙΚΟΣ\ndef speak():\n    return 1\n",
    "hindi/greet.py": "# उपयोगकर्ता को नमस्ते कहो\ndef greet():\n    return 1\n",
    "wide/letters.py": "# ＡＰＩ ｋｅｙ\ndef wide():\n    return 1\n",
    "names/total.py": "def 合計金額(items):\n    return sum(items)\n\n\nclass Größenprüfung:\n    pass\n",
    "names/nfd.py": unicodedata.normalize("NFD", "class Menüleiste:\n    pass\n"),
    "plain/jar.py": "# Opens the jar and closes the lid\ndef jar():\n    return 1\n",
}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with open_bundle(built(tmp_path_factory.mktemp("scripts"), FILES, BuildOptions(jobs=1))) as searcher:
        yield searcher


@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("购物车", "chinese/cart.py"),
        ("验证码", "chinese/mail.go"),
        ("重复发送", "chinese/mail.go"),
        ("邮件 验证", "chinese/mail.go"),
        ("構文木", "japanese/parser.rb"),
        ("文字列", "japanese/parser.rb"),
        ("アップロード", "japanese/upload.py"),
        ("v2を", "japanese/upload.py"),
        ("サーバー", "japanese/half.py"),
        ("ﾊﾞｰｼﾞｮﾝ", "japanese/upload.py"),
        ("設定手順", "docs/設定手順.md"),
        ("環境変数", "docs/設定手順.md"),
        ("환불", "korean/Order.java"),
        ("데이터베이스", "korean/cache.py"),
        ("만료", "korean/cache.py"),
        ("암호화", "korean/nfd.py"),
        ("สินค้า", "thai/stock.py"),
        ("รหัสผ่าน", "thai/login.py"),
        ("รายงาน", "thai/report.md"),
        ("จำนวน", "thai/stock.py"),
        ("ຂໍ້ມູນ", "lao/save.py"),
        ("ລູກຄ້າ", "lao/save.py"),
        ("ບັນທຶກ", "lao/save.py"),
        ("វិក្កយបត្រ", "khmer/print.py"),
        ("បោះពុម្ព", "khmer/print.py"),
        ("បត្រ", "khmer/print.py"),
        ("အချက်အလက်", "burmese/wait.py"),
        ("စောင့်ဆိုင်း", "burmese/wait.py"),
        ("များ", "burmese/wait.py"),
        ("detaillee", "french/invoice.py"),
        ("cafe\u0301", "french/invoice.py"),
        ("cree", "french/invoice.py"),
        ("strasse", "german/road.py"),
        ("STRASSE", "german/road.py"),
        ("bru\u0308cke", "german/road.py"),
        ("fuhrt", "german/road.py"),
        ("dang nhap", "vietnamese/sign.py"),
        ("mật khẩu", "vietnamese/sign.py"),
        ("nguoi", "vietnamese/sign.py"),
        ("izmir", "turkish/city.py"),
        ("IĞDIR", "turkish/city.py"),
        ("igdir", "turkish/city.py"),
        ("самолет", "russian/fly.py"),
        ("ведет", "russian/fly.py"),
        ("ПИЛОТ", "russian/fly.py"),
        ("ρυθμισεις", "greek/speak.py"),
        ("κωδικός", "greek/speak.py"),
        ("εφαρμογης", "greek/speak.py"),
        ("उपयोगकर्ता", "hindi/greet.py"),
        ("नमस्ते", "hindi/greet.py"),
        ("api key", "wide/letters.py"),
        ("合計", "names/total.py"),
        ("grossenprufung", "names/total.py"),
    ],
)
def test_a_word_leads_to_the_file_that_has_it_and_to_its_line(scripts: Searcher, query: str, path: str, mode: ModeName) -> None:
    hits = scripts.search(query, mode=mode).hits
    assert path == hits[0].path
    shown = folded(f"{hits[0].path} {hits[0].snippet}")
    assert all(word in shown for word in folded(query).split())


@pytest.mark.parametrize("word", ["schön", "SCHÖN", unicodedata.normalize("NFD", "schön")])
def test_the_spelling_that_was_typed_comes_first(word: str, tmp_path: Path) -> None:
    others = {f"other{n}.py": f"# schon {n}\n" for n in range(12)}
    typed = "# es ist schön hier, und das sagt ein langer Satz, der sonst nichts weiter sagt\n"
    with opened(tmp_path, {**others, "typed.py": typed}) as bundle:
        paths = [hit.path for hit in Searcher(bundle).search(word, mode="keyword").hits]
    assert "typed.py" == paths[0]
    assert len(paths) > 1


@pytest.mark.parametrize("character", ["购", "码", "木", "ド", "閉", "환", "다", "ร", "ຄ", "ត", "ပ"])
def test_one_character_finds_the_files_that_have_it(scripts: Searcher, character: str) -> None:
    wanted = {path for path, text in FILES.items() if character in unicodedata.normalize("NFC", text)}
    assert wanted
    assert wanted == {hit.path for hit in scripts.search(character, mode="keyword", limit=50).hits}


def test_characters_that_stand_together_come_before_the_same_ones_apart(scripts: Searcher) -> None:
    assert ["chinese/cart.py"] == [hit.path for hit in scripts.search("加入购物车", mode="keyword").hits]


def test_the_encoder_has_no_say_over_a_script_that_it_cannot_read(scripts: Searcher) -> None:
    assert {"keyword"} == {hit.match_type for hit in scripts.search("商品加入", mode="hybrid").hits}
    assert {"keyword"} != {hit.match_type for hit in scripts.search("商品 opens the jar", mode="hybrid").hits}


@pytest.mark.parametrize("name", [COMPOSED, DECOMPOSED, "Menüleiste", unicodedata.normalize("NFD", "Menüleiste")])
def test_a_definition_is_found_however_its_accents_are_encoded(scripts: Searcher, name: str) -> None:
    assert [unicodedata.normalize("NFC", name)] == [found.name for found in LookUps(scripts.bundle).define(name).results]
    assert scripts.search(name).hits[0].reasons[0].startswith("defines")


def test_a_definition_is_not_found_without_its_accents(scripts: Searcher) -> None:
    assert not LookUps(scripts.bundle).define("Grossenprufung").results


def test_a_definition_in_a_script_without_spaces_is_found(scripts: Searcher) -> None:
    (found,) = LookUps(scripts.bundle).function("合計金額").results
    assert found.location is not None
    assert "names/total.py" == found.location.file_path

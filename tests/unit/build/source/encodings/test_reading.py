from __future__ import annotations

import random
import zlib

import pytest

from hardtack.build.source.encodings.labels import codecs_of, exact_codecs_of
from hardtack.build.source.encodings.reading import NoText, Text, text_of
from hardtack.nouns.model import EncodingBasis

CONTENT, DECLARED, GUESSED = EncodingBasis

COMMENTS = {
    "cp932": ("在庫の数を返す", "ファイルを開けない場合は終了する", "設定を読み込んで画面に表示する"),
    "euc_jp": ("在庫の数を返す", "ファイルを開けない場合は終了する", "設定を読み込んで画面に表示する"),
    "gb18030": ("返回库存数量", "如果文件无法打开则退出", "读取配置并显示在窗口中"),
    "big5hkscs": ("傳回庫存的數量", "如果檔案無法開啟就結束", "讀取設定並顯示在視窗"),
    "cp949": ("재고 수량을 반환한다", "파일을 열 수 없으면 종료한다", "설정을 읽어서 화면에 표시한다"),
    "cp1251": ("возвращает число товаров", "если файл не открывается, выход", "читает настройки"),
    "koi8-r": ("возвращает число товаров", "если файл не открывается, выход", "читает настройки"),
    "iso8859-5": ("возвращает число товаров", "если файл не открывается, выход", "читает настройки"),
    "cp866": ("возвращает число товаров", "если файл не открывается, выход", "читает настройки"),
    "koi8-u": ("повертає кількість товарів", "якщо файл не відкрито, вихід", "читає файли із налаштуваннями"),
    "cp1250": (
        "zwraca liczbę towarów w żółtej skrzyni",
        "jeśli pliku nie można otworzyć, następuje wyjście",
        "čte nastavení ze souboru příští týden",
    ),
    "iso8859-2": (
        "zwraca liczbę towarów w żółtej skrzyni",
        "jeśli pliku nie można otworzyć, następuje wyjście",
        "čte nastavení ze souboru příští týden",
    ),
    "cp1252": (
        "gibt die Größe zurück",
        "si le fichier n’est pas ouvert, arrêt immédiat",
        "devuelve el tamaño del almacén según el año",
    ),
    "cp1253": ("επιστρέφει τον αριθμό των προϊόντων", "αν το αρχείο δεν ανοίγει, τέλος", "διαβάζει τις ρυθμίσεις"),
    "cp1254": ("ürün sayısını döndürür", "dosya açılmazsa çıkış yapılır", "ayarları okuyup ekranda gösterir, değişiklik sayısı"),
    "mac-roman": ("gibt die Größe zurück, für alle Länder", "si le répertoire est fermé, arrêt", "dépôt de données à gérer"),
}


def in_source(comment: str) -> str:
    return f"/* {comment} */\nint count_jars(const char *shelf) {{ return lookup(shelf)->count; }}\n"


def read(data: bytes, path: str = "pantry.c", declared: tuple[tuple[str, ...], ...] = ()) -> Text:
    found = text_of(path, data, declared)
    assert isinstance(found, Text), found
    return found


@pytest.mark.parametrize(("codec", "comment"), [(codec, comment) for codec, comments in COMMENTS.items() for comment in comments])
def test_one_comment_in_source_code_is_enough_for_a_guess(codec: str, comment: str) -> None:
    found = read(in_source(comment).encode(codec))
    assert (in_source(comment), GUESSED) == (found.text.decode(), found.basis)


@pytest.mark.parametrize("codec", ["cp1251", "koi8-r", "cp866"])
@pytest.mark.parametrize("words", ["НАЙДЕНА ДОКУМЕНТАЦИЯ", "ФАЙЛ НЕ СОДЕРЖИТ ТЕКСТА", "ТРЕБУЕТСЯ ЧИСЛО"])
def test_words_in_capitals_are_read_as_well(words: str, codec: str) -> None:
    assert in_source(words) == read(in_source(words).encode(codec)).text.decode()


@pytest.mark.parametrize("alphabet", ["àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ", "a/à/á b/ß e/é/è/ê i/í/ì o/ó/ò/ô u/ú/ù/û c/ç n/ñ"])
def test_an_alphabet_that_is_listed_says_nothing(alphabet: str) -> None:
    listed = f"FOL {alphabet}\nNAME Spelling, by Jürgen Günther\n"
    assert listed == read(listed.encode("cp1252"), "a.diff").text.decode()


def test_a_line_in_another_encoding_leaves_the_others_as_they_are() -> None:
    lines = "# größer als Zürich\n" * 3 + "# 大きい\n"
    found = read(lines.encode() + "# Jürgen Müller\n".encode("latin-1"), "a.py")
    assert (lines + "# Jürgen Müller\n", "utf-8", GUESSED) == (found.text.decode(), found.encoding, found.basis)
    japanese = "+ ファイルを開けない場合は終了する\n" * 30
    quoted = read(japanese.encode("euc_jp") + "- /* ─ │ ┌ ┐ */\n".encode(), "a.diff")
    assert (japanese + "- /* ─ │ ┌ ┐ */\n", "euc_jp") == (quoted.text.decode(), quoted.encoding)


def test_a_table_of_all_characters_is_text() -> None:
    rows = "".join(
        bytes((row, cell)).decode("gb2312") + f" {row}{cell}\n" for row in range(0xB0, 0xF7) for cell in range(0xA1, 0xFA)
    )
    assert rows == read(rows.encode("gb2312"), "codes.txt").text.decode()


def test_the_frames_of_dos_are_no_letters() -> None:
    frame = "// ┌──────────┐\n// │ %-8s │\n// └──────────┘\n"
    assert frame == read(frame.encode("cp437"), "screen.c").text.decode()


@pytest.mark.parametrize(
    ("path", "head", "codec"),
    [
        ("a.py", "# -*- coding: euc-jp -*-\n", "euc_jp"),
        ("a.rb", "#!/usr/bin/ruby\n# encoding: Windows-31J\n", "cp932"),
        ("a.el", ";; -*- mode: lisp; coding: iso-8859-2-unix -*-\n", "iso8859-2"),
        ("a.c", "/* vim: set ts=4 fileencoding=koi8-r : */\n", "koi8-r"),
        ("a.pl", "use strict;\nuse encoding 'big5';\n", "big5hkscs"),
        ("a.html", '<html><head><meta http-equiv="Content-Type" content="text/html; charset=EUC-KR">\n', "cp949"),
        ("a.htm", "<html><head>\n<meta charset=gb2312>\n", "gb18030"),
        ("a.xml", '<?xml version="1.0" encoding="Shift_JIS"?>\n', "cp932"),
        ("a.css", '@charset "windows-1251";\n', "cp1251"),
        ("a.jsp", '<%@ page language="java" pageEncoding="EUC-KR" %>\n', "cp949"),
        ("a.tex", "\\documentclass{article}\n\\usepackage[latin2]{inputenc}\n", "iso8859-2"),
        ("a.po", 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=CP1250\\n"\n', "cp1250"),
        ("a.vim", '" menu\nscriptencoding cp1251\n', "cp1251"),
        ("a.rc", "#pragma code_page(949)\n", "cp949"),
        ("HANJA.tit", "ENCODE:\tKS\nPROMPT:\thanja\n", "cp949"),
        ("po/ru.koi8-r.msg", "", "koi8-r"),
    ],
)
def test_what_a_file_says_of_itself_is_believed(path: str, head: str, codec: str) -> None:
    text = head + {"cp": "мир", "ko": "мир", "is": "żółty"}.get(codec[:2], "中") + "\n"
    if codec in ("cp949", "cp932", "cp1250"):
        text = head + {"cp949": "한글", "cp932": "漢字", "cp1250": "żółty"}[codec] + "\n"
    assert Text(text.encode(), codec, DECLARED) == read(text.encode(codec), path)


def test_an_emacs_variable_at_the_end_of_a_file_is_believed() -> None:
    text = "text: żółty\n" * 500 + "# Local Variables:\n# coding: iso-8859-2\n# End:\n"
    assert Text(text.encode(), "iso8859-2", DECLARED) == read(text.encode("iso8859-2"), "notes.txt")


@pytest.mark.parametrize("label", ["latin-1", "euc-jp", "koi8-r", "utf-16"])
def test_valid_utf_8_is_utf_8_whatever_is_declared(label: str) -> None:
    data = f"# -*- coding: {label} -*-\n# größer, 大きい\n".encode()
    assert Text(data, "utf-8", CONTENT) == read(data, declared=(codecs_of(label),))


def test_a_declaration_is_not_believed_if_the_bytes_cannot_be_decoded_so() -> None:
    text = "# -*- coding: euc-jp -*-\n# 設定を読み込んで画面に表示する\n"
    assert Text(text.encode(), "cp932", GUESSED) == read(text.encode("cp932"), "a.py")


def test_a_declared_latin_1_is_not_believed_if_another_encoding_reads_much_better() -> None:
    text = in_source("возвращает число товаров, если файл не открывается")
    assert Text(text.encode(), "cp1251", GUESSED) == read(text.encode("cp1251"), declared=(codecs_of("latin1"),))


def test_a_declaration_of_the_tree_is_believed_after_the_file_s_own() -> None:
    text = in_source("żółta skrzynia")
    assert DECLARED is read(text.encode("iso8859-2"), declared=(codecs_of("latin2"),)).basis
    own = "/* -*- coding: cp1250 -*- */\n" + text
    assert Text(own.encode(), "cp1250", DECLARED) == read(own.encode("cp1250"), declared=(codecs_of("latin2"),))


def test_declarations_of_the_tree_are_not_asked_for_utf_8() -> None:
    class Labels:
        def __iter__(self) -> None:
            raise AssertionError

    read("größer\n".encode(), declared=Labels())  # type: ignore[arg-type]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text", ["int jars;\r\n", "int jars; /* 一つの瓶を返す */\n", "这是一个没有标记的文件。\n返回一个值。\n", "Привет, мир!\n"]
)
def test_utf_16_without_a_mark_is_read(encoding: str, text: str) -> None:
    assert Text(text.encode(), encoding, GUESSED) == read(text.encode(encoding))


def test_iso_2022_names_its_alphabets_itself() -> None:
    text = in_source("在庫の数を返す")
    assert (text, CONTENT) == (read(text.encode("iso2022_jp")).text.decode(), read(text.encode("iso2022_jp")).basis)
    korean = in_source("재고 수량")
    assert korean == read(korean.encode("iso2022_kr")).text.decode()


def test_terminal_escapes_in_ascii_stay_as_they_are() -> None:
    data = b"echo '\x1b[31mred\x1b[0m' \x1b$ x\n"
    assert Text(data, "utf-8", CONTENT) == read(data)


def test_one_odd_byte_does_not_cost_a_source_file() -> None:
    data = b"int jars;\n" * 50 + b'char odd[] = "\x81";\n'
    assert read(data).basis is GUESSED
    assert b"int jars;" in read(data).text


@pytest.mark.parametrize("size", [60, 200, 2000])
def test_compressed_and_random_bytes_are_no_text_in_any_code_page(size: int) -> None:
    chance = random.Random(size)
    for _ in range(5):
        noise = bytes(chance.randrange(1, 256) for _ in range(size))
        assert isinstance(text_of("noise.dat", noise), NoText)
        words = " ".join(chance.choices(("jar", "shelf", "lid", "count"), k=size)).encode()
        assert isinstance(text_of("words.bin", zlib.compress(words).replace(b"\0", b"\1")), NoText)
        high = bytes(chance.randrange(0xA0, 0x100) for _ in range(max(size, 400)))
        assert isinstance(text_of("high.bin", high), NoText)


@pytest.mark.parametrize("size", [64, 4096])
def test_numbers_of_two_bytes_are_no_utf_16(size: int) -> None:
    chance = random.Random(size)
    samples = b"".join(chance.randrange(0, 4000).to_bytes(2, "little") for _ in range(size))
    found = text_of("samples.raw", samples)
    assert isinstance(found, NoText)
    assert found.is_binary


def test_labels_mean_what_windows_made_of_them_and_to_git_what_iconv_says() -> None:
    assert (("cp1252", "iso8859-1"), ("cp932", "shift_jis_2004")) == (codecs_of("Latin-1"), codecs_of("x-sjis"))
    assert "iso8859-1" == exact_codecs_of("latin1")[0]
    assert "shift_jis" == exact_codecs_of("SHIFT-JIS")[0]
    assert ((), (), (), ()) == (codecs_of("zlib"), codecs_of("utf-7"), codecs_of("utf-8"), codecs_of("no-such-thing"))

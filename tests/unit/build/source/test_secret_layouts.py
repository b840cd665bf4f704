"""Secrets are taken out of the formats of files, tools and encodings, wherever such a text stands."""

from __future__ import annotations

import random
import string

import pytest
from secret_layouts import LAYOUTS, Laid, contexts_of_text, laid

from hardtack.build.source.secret_checks import is_chosen
from hardtack.build.source.secrets import redacted, secrets_in

SEEDS = 4
LEAST = 0.98


def leaked(each: Laid, text: str) -> bool:
    """Whether eight letters in a row of a secret are left, or a piece that is shorter."""
    data = text.encode()
    left = redacted(data, secrets_in(data, "any.txt")).decode()
    return any(secret[at : at + 8] in left for secret in each.secrets for at in range(max(len(secret) - 7, 0)))


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_a_secret_is_taken_out_of_every_layout_and_context(layout: str) -> None:
    kept = []
    contexts = 0
    for seed in range(SEEDS):
        each = laid(layout, seed)
        for context, text in contexts_of_text(each.text).items():
            contexts += 1
            if leaked(each, text):
                kept.append((context, text))
    assert len(kept) <= contexts * (1 - LEAST), f"{len(kept)} of {contexts}, such as {kept[0]}"


def test_there_are_more_than_sixty_layouts_in_five_contexts() -> None:
    assert len(LAYOUTS) >= 100
    assert len(contexts_of_text("x\n")) >= 5


@pytest.mark.parametrize("width", [4, 7, 16, 40, 60, 64, 76, 100])
@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
def test_wrapped_base64_is_found_at_any_width_in_a_file_of_its_own(width: int, ending: str) -> None:
    for layout in ("token in Base64", "PEM in Base64", "login with a token in Base64"):
        text = laid(layout, width).text.split(": ", 1)[1].strip()
        lines = [text[at : at + width] for at in range(0, len(text), width)]
        data = (ending or "\n").join(lines) + ending
        left = redacted(data.encode(), secrets_in(data.encode())).decode()
        assert not [line for line in lines if len(line) >= 4 and line in left], layout


def test_what_is_encrypted_already_stays() -> None:
    sealed = "kind: SealedSecret\nspec:\n  encryptedData:\n    password: Ag" + "By3i4OJSWK+PiTySYZZA9rO43cGDEq" * 12 + "\n"
    vault = "ansible_password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  " + "6238346135" * 8 + "\n"
    sops = "password: ENC[AES256_GCM,data:p673w==,iv:YY=,aad:UQ=,tag:A=]\n"
    for text in (sealed, vault, sops, "spring.datasource.password=ENC(k39dLq02mNsXk39dLq02)\n"):
        assert [] == secrets_in(text.encode()), text


@pytest.mark.parametrize(
    "line",
    [
        'encrypted_volume_passphrase: "@"',
        "ENCRYPTED_KEY_PASSWORD=@",
        "encryptedPrivateKeyPassword: '@'",
        "wrapped_key_password = @",
        "sealedStorePassword=@",
        'unencrypted_password = "@"',
        "encrypted_password_plain: '@'",
        "encrypted_database_password=@",
    ],
)
def test_the_password_of_what_is_encrypted_is_a_secret(line: str) -> None:
    text = line.replace("@", "Xk39-dLq82vTz") + "\n"
    assert "Xk39" not in redacted(text.encode(), secrets_in(text.encode())).decode()


@pytest.mark.parametrize(
    "name",
    [
        *("encrypted_password", "ENCRYPTED_PASSWORD", "encryptedPassword", "password_encrypted", "heroku_api_key_encrypted"),
        *("wrapped_key", "sealed_secret", "encrypted_api_key", "db_encrypted_password", "encrypted_access_token_v2"),
        *("encrypted_session_key", "encrypted_otp_secret", "encrypted_auth_token", "encrypted_master_key", "encryptedData"),
    ],
)
def test_a_value_whose_own_name_says_that_it_is_encrypted_stays(name: str) -> None:
    for value in ("Xk39-dLq82vTz", "0b9fe5ac-71d2-4c38-9e64-8f21bd60c7a3"):
        assert [] == secrets_in(f'{name} = "{value}"\n'.encode())


@pytest.mark.parametrize(
    "value",
    [
        "changeme",
        "${DB_PASSWORD}",
        "{{ db_password }}",
        "<password>",
        "xxxxxxxx",
        "%(password)s",
        "$DB_PASSWORD",
        "your-password-1",
    ],
)
def test_a_placeholder_stays_where_a_password_stands(value: str) -> None:
    for text in (
        f"DB_PASSWORD={value}\n",
        f'"password": "{value}"\n',
        f"spring.datasource.password={value}\n",
        f"mysql -p{value} orders\n",
    ):
        assert [] == secrets_in(text.encode()), text


@pytest.mark.parametrize(
    "text",
    [
        "token = parse_token2(Base64Url)\n",
        'password = settings["Db2Password"]\n',
        "api_key: config.apiKeyV2Provider9\n",
        "password_hasher = 'argon2id'\n",
        "next_page_token = 'CAUQAA3x9Kd2Lm0P'\n",
        "PublicKeyToken=b77a5c561934e089\n",
        '"assetToken": "Purple71/v4/5d/85/6e/5d856e8b/source.png"\n',
        "secretName: k8s-tls-v1-secret\n",
        'pgpass: "npm:1.0.5"\n',
        "kind: Secret\ndata:\n  username: YWRtaW4=\n  password: cGFzc3dvcmQ=\n",
        "key: 'token'\nvalue: '^(abc923|zyx789)$'\n",
        'SendGridApiKey = "SendGridApiKey"\n',
        "PrivateKey: x509SVID1.PrivateKey,\n",
        '"hydra.openid.id-token:public:9a458aa3-65a0-4982-835f-343eec45183c"\n',
        "kind: Secret\ndata:\n  password: base64_encoded_ldap_admin_password\n",
        'EncryptedPrivateKey = "2.AOs41Hd8OQiCPXjyJKCiDA==|O6OHgt2U2hJGBSNGnimJmg=="\n',
        '"access_token": "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9"\n',
        'f("a" "b")\n' + "x" * 372 + '\n"access_token": "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9"\n',
        "psk=6162636465666768696a6b6c6d6e6f70\n",
        "psk=73776f726466697368\n",
        "psk=000102030405060708090A0B0C0D0E0F\n",
        '"psk=4b39643251377a4c" \\\n  "$G_NEXT_CLI -d"\n'.replace("4b39643251377a4c", "73776f726466697368"),
        "access_token=2YotnFZFEjr1zCsicMWpAA\n",
        "'consumerSecret' => 'kd94hf93k423kf44'\n",
        "'password' => '5f4dcc3b5aa765d61d8327deb882cf99'\n",
        '"LockToken": "447e55ac-2396-4c6d-b9f9-86b67c17f8b5"\n',
        "--client-token 5a3b1e2c-1234-4c6d-b9f9-86b67c17f8b5\n",
        "/etc/passwd: 429b225650b912a2ee067b0a4cf1e949\n",
        'let(:cask_token) { "app@stuff@beta" }\n',
        "validatePassword('password', '$1$salt$hash')\n",
        '{User: "group:g1#member"}\n',
    ],
)
def test_a_program_and_a_setting_that_only_look_like_a_secret_stay(text: str) -> None:
    assert [] == secrets_in(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        *(
            "private_key: Ed25519PrivateKey | Ed448PrivateKey\n",
            "let private_key: P256PrivateKey = x;\n",
            "secret: Sha256HmacKeyV2\n",
        ),
        *("accessKey: S3AccessKeyV4Id\n", "access_token=oauth2ClientV2\n", "val secretKey: Ed25519PrivateKey? = null\n"),
        *(
            "{ signingKey: aes256GcmKey, iv: x }\n",
            "new App({ apiSecret: v2HasherArgon2, id: 1 })\n",
            "f(secret_key: X509Certificate2, a: b)\n",
        ),
        *("private_key: p256::SecretKeyV2Raw,\n", "type T = [secret: Bip39MnemonicV1]\n"),
    ],
)
def test_a_type_and_a_variable_of_a_program_stay_where_a_value_could_stand(text: str) -> None:
    assert [] == secrets_in(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        *(
            "db: {user: app, password: @}\n",
            "{name: orders, api_key: @}\n",
            "{api_key: @, name: orders}\n",
            "[{client_secret: @}]\n",
        ),
        *("users: [{name: a, password: @}, {name: b, password:  @, id: 3}]\n", "tokens: [password: @]\n"),
    ],
)
@pytest.mark.parametrize("letters", [12, 16, 32])
def test_a_value_goes_that_stands_in_a_mapping_on_one_line(text: str, letters: int) -> None:
    chance = random.Random(text)
    kept = 0
    for _ in range(100):
        value = "".join(chance.choices(string.ascii_letters + string.digits, k=letters))
        data = text.replace("@", value).encode()
        kept += is_chosen(value.encode()) and value.encode() in redacted(data, secrets_in(data))
    assert kept <= 2


def test_hardly_any_random_value_without_quotes_is_taken_for_a_name() -> None:
    chance = random.Random(5)
    values = ["".join(chance.choices(string.ascii_letters + string.digits, k=16)) for _ in range(2000)]
    chosen = [value for value in values if is_chosen(value.encode())]
    assert len(chosen) > 1500
    assert len([value for value in chosen if not secrets_in(f"password: {value}\n".encode())]) <= len(chosen) // 100

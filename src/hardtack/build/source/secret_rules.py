"""The formats of secrets, as data: the name, the beginning, the rest, and the document that describes each.

The formats are those that issuers and public rule lists describe, if hardly anything else looks like them. A rule of ``TOKENS`` is
a distinctive beginning and the random part after it; a rule of ``FORMS`` is recognised by the words near it.
:mod:`hardtack.build.source.secrets` searches for both.

The time of a pattern must be linear in the text: repeats are bounded, or possessive and begun once in each run of letters; they are
not nested, and what follows a long repeat is not tried again at each of its ends. Upper bounds may be too low: a match is extended
to the end of its run of letters.
"""

from __future__ import annotations

from typing import Final, NamedTuple

SOURCES: Final = {
    "github": "https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns",
    "gitleaks": "https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml",
    "aws": "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html",
    "azure": "https://learn.microsoft.com/en-us/purview/sit-defn-azure-storage-account-key",
    "gitlab": "https://docs.gitlab.com/security/tokens/#token-prefixes",
    "slack": "https://docs.slack.dev/authentication/tokens",
    "trufflehog": "https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors",
    "rfc7519": "https://www.rfc-editor.org/rfc/rfc7519",
    "rfc7468": "https://www.rfc-editor.org/rfc/rfc7468",
    "rfc3986": "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1",
    "rfc7617": "https://www.rfc-editor.org/rfc/rfc7617",
    "telegram": "https://core.telegram.org/bots/api#authorizing-your-bot",
    "discord": "https://discord.com/developers/docs/reference#authentication",
    "docker": "https://docs.docker.com/reference/cli/docker/login/",
    "npmrc": "https://docs.github.com/en/packages/working-with-a-github-packages-registry/working-with-the-npm-registry",
    "netrc": "https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html",
    "sqlserver": "https://learn.microsoft.com/en-us/dotnet/framework/data/adonet/connection-string-syntax",
}
"""The documents that describe formats, by the short name that rules use."""


NEAR: Final = 300
"""Bytes before and after a secret that are searched for the text that must be near it."""


class SecretRule(NamedTuple):
    """One format of a secret."""

    name: str
    """Its name in markers and reports."""
    starts: tuple[bytes, ...]
    """The possible beginnings of a token, of letters, digits, ``_``, ``-`` and ``.``. Empty for a form."""
    pattern: bytes
    """For a token: matches the rest of it. For a form: matches all of it; the secret is the group ``value``."""
    source: str
    """Key of :data:`SOURCES`."""
    keys: tuple[bytes, ...] = ()
    """For a form: lower-case texts; it is searched for only in files with one of them, in any case."""
    check: str = "random"
    """A further condition: a name in :data:`hardtack.build.source.secret_checks.CHECKS`."""
    near: bytes = b""
    """For a form: an expression that must match on the same line, at most :data:`NEAR` bytes away; empty for none."""
    files: tuple[str, ...] = ()
    """For a form of one kind of file: the names of such files, in which alone it is searched for; empty for all files."""


def _a(least: int, most: int = 0) -> str:
    """Letters and digits."""
    return f"[A-Za-z0-9]{{{least}{f',{most}' if most else ''}}}"


def _w(least: int, most: int = 0) -> str:
    """Letters, digits, ``_`` and ``-``."""
    return f"[A-Za-z0-9_-]{{{least}{f',{most}' if most else ''}}}"


def _x(count: int) -> str:
    """Hexadecimal digits, with no letter or digit after them."""
    return f"[A-Fa-f0-9]{{{count}}}(?![A-Za-z0-9])"


def _b(least: int, most: int) -> str:
    """Base64."""
    return f"[A-Za-z0-9+/]{{{least},{most}}}={{0,3}}"


_END = "(?![A-Za-z0-9])"
_UUID = "[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}"


def _token(name: str, starts: str, body: str, source: str = "gitleaks") -> SecretRule:
    return SecretRule(name, tuple(starts.encode().split()), body.encode(), source)


TOKENS: Final = (
    # Clouds
    _token("aws-access-key", "AKIA ASIA ABIA ACCA", "[A-Z2-7]{16}" + _END, "aws"),
    _token("aws-session-token", "FwoGZXIvYXdz IQoJb3JpZ2lu", _b(80, 2000), "trufflehog"),
    _token("aws-bedrock-key", "ABSK", _b(109, 269)),
    _token("google-api-key", "AIza", _w(35) + "(?![A-Za-z0-9_-])", "github"),
    _token("google-oauth-secret", "GOCSPX-", _w(28), "github"),
    _token("google-oauth-token", "ya29.", _w(40, 1000), "github"),
    _token("alibaba-access-key", "LTAI", _a(20) + _END),
    _token("tencent-secret-id", "AKID", _a(32) + _END, "github"),
    _token("yandex-key", "AQVN", _w(35, 38)),
    _token("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", _x(64)),
    _token("heroku-key", "HRKU-AA", _w(58)),
    _token("cloudflare-origin-key", "v1.0-", "[a-f0-9]{24}-[a-f0-9]{146}"),
    _token("flyio-token", "fo1_", _w(43)),
    _token("flyio-macaroon", "fm1a_ fm1r_ fm2_", _b(100, 2000)),
    _token("databricks-token", "dapi", "[a-f0-9]{32}(?:-[0-9])?" + _END),
    _token("vault-token", "hvs. hvb.", _w(90, 300)),
    _token("pulumi-token", "pul-", _x(40)),
    _token("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "(?:[a-z0-9_-]{2,35}\\.)?" + _a(40, 44), "github"),
    _token("planetscale-token", "pscale_tkn_ pscale_oauth_ pscale_pw_", "[A-Za-z0-9_.-]{32,64}"),
    _token("supabase-token", "sbp_", _x(40), "github"),
    _token("supabase-secret-key", "sb_secret_", _w(31), "github"),
    _token("netlify-token", "nfp_", _a(36), "github"),
    _token("1password-token", "ops_eyJ", _b(250, 2000)),
    _token("age-secret-key", "AGE-SECRET-KEY-1", "[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    _token(
        "tailscale-key", "tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook-", _a(8, 24) + "-" + _a(20, 48), "github"
    ),
    # Forges and what builds on them
    _token("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", _a(36, 255), "github"),
    _token("github-fine-grained-token", "github_pat_", "[A-Za-z0-9_]{36,255}", "github"),
    _token("gitlab-token", "glpat- gldt- glrt- glft- glsoat- glffct- glptt- glimt- glagent- gloas- glcbt-", _w(20, 300), "gitlab"),
    _token("gitlab-runner-token", "GR1348941", _w(20), "gitlab"),
    _token("bitbucket-token", "ATBB", _a(32) + _END, "github"),
    _token("bitbucket-access-token", "ATCTT3xFfG", _w(100, 300) + "(?:=[A-Fa-f0-9]{8})?", "github"),
    _token("atlassian-token", "ATATT3xFfG", _w(100, 300) + "(?:=[A-Fa-f0-9]{8})?", "github"),
    _token("sourcegraph-token", "sgp_", "(?:(?:[A-Fa-f0-9]{16}|local)_)?" + _x(40)),
    _token("circleci-token", "CCIPAT_ CCIPRJ_", _a(16, 24) + "_" + _x(40), "github"),
    _token("buildkite-token", "bkua_", _x(40), "github"),
    _token("sonar-token", "squ_ sqp_ sqa_", _x(40), "github"),
    _token("harness-token", "pat. sat.", _w(22) + "\\." + _a(24) + "\\." + _a(20)),
    _token("postman-key", "PMAK-", "[A-Fa-f0-9]{24}-" + _x(34)),
    _token("octopus-key", "API-", "[A-Z0-9]{26}" + _END),
    # Chat
    _token("slack-token", "xoxb- xoxp- xoxa- xoxr- xoxo- xoxs- xoxe-", "(?=[A-Za-z-]{0,8}[0-9])" + _w(20, 300), "slack"),
    _token("slack-config-token", "xoxe.xoxp- xoxe.xoxb-", _w(20, 300), "slack"),
    _token("slack-app-token", "xapp-", "[0-9]-[A-Z0-9]{6,16}-[0-9]{8,16}-" + _a(32, 128), "slack"),
    _token("facebook-token", "EAAM EAAC EAAB EAAG", _a(90, 400)),
    # Payment and shops
    _token("stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", _a(16, 247)),
    _token("stripe-webhook-secret", "whsec_", _b(32, 64), "github"),
    _token("square-token", "sq0atp- sq0csp- sq0idp-", _w(22, 43)),
    _token("shopify-token", "shpat_ shpca_ shppa_ shpss_", _x(32)),
    _token("plaid-token", "access-sandbox- access-development- access-production-", _UUID),
    _token("flutterwave-key", "FLWSECK_TEST- FLWSECK-", "[A-Za-h0-9]{32}-X"),
    _token("easypost-key", "EZAK EZTK", _a(54) + _END),
    _token("shippo-token", "shippo_live_ shippo_test_", _x(40)),
    _token("duffel-token", "duffel_live_ duffel_test_", _w(43)),
    # Mail and telephony
    _token("sendgrid-key", "SG.", _w(22) + "\\." + _w(43)),
    _token("mailgun-key", "key-", _x(32), "github"),
    _token("brevo-key", "xkeysib- xsmtpsib-", "[a-f0-9]{64}-" + _a(16)),
    _token("resend-key", "re_", _a(8) + "_" + _a(24) + _END, "trufflehog"),
    _token("twilio-key", "SK", "[a-f0-9]{32}" + _END),
    # Package registries
    _token("npm-token", "npm_", _a(36) + _END),
    _token("pypi-token", "pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZ", _w(50, 1000)),
    _token("rubygems-key", "rubygems_", _x(48)),
    _token("cargo-token", "cio", _a(32) + _END, "github"),
    _token("nuget-key", "oy2", "[a-z0-9]{43}" + _END, "github"),
    _token("docker-token", "dckr_pat_ dckr_oat_", _w(27, 40), "github"),
    _token("clojars-token", "CLOJARS_", _a(60)),
    _token("artifactory-key", "AKCp", _a(69) + _END),
    _token("artifactory-reference-token", "cmVmdGtu", _a(56) + _END),
    _token("packagist-token", "packagist_ort_ packagist_out_ packagist_uut_", _x(68), "github"),
    # AI services
    _token("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", _w(40, 300)),
    _token("anthropic-key", "sk-ant-api03- sk-ant-admin01- sk-ant-sid01- sk-ant-oat01- sk-ant-ort01-", _w(32, 200)),
    _token("openrouter-key", "sk-or-v1-", _x(64), "github"),
    _token("secret-key", "sk-", "(?:" + _a(48) + "|[a-f0-9]{32})" + _END),
    _token("elevenlabs-key", "sk_", "[a-f0-9]{48}" + _END, "trufflehog"),
    _token("huggingface-token", "hf_ api_org_", _a(34) + _END),
    _token("replicate-token", "r8_", _a(37, 40), "github"),
    _token("groq-key", "gsk_", _a(52), "github"),
    _token("perplexity-key", "pplx-", _a(40, 60)),
    _token("xai-key", "xai-", _a(80), "github"),
    _token("langsmith-key", "lsv2_pt_ lsv2_sk_", "[a-f0-9]{32}_[a-f0-9]{10}", "github"),
    _token("pinecone-key", "pcsk_", _a(5, 6) + "_" + _a(50, 70), "github"),
    _token("tavily-key", "tvly- tvly-dev- tvly-prod-", _a(32) + _END, "trufflehog"),
    _token("nvidia-key", "nvapi-", _w(60, 70), "github"),
    _token("cerebras-key", "csk-", "[a-z0-9]{48}" + _END, "trufflehog"),
    _token("firecrawl-key", "fc-", "[a-f0-9]{32}" + _END, "trufflehog"),
    _token("jina-key", "jina_", _a(60, 70), "trufflehog"),
    # Observability and other services
    _token("newrelic-key", "NRAK-", "[A-Z0-9]{27}" + _END),
    _token("grafana-token", "glsa_", _a(32) + "_" + _x(8)),
    _token("grafana-cloud-token", "glc_", _b(32, 400)),
    _token("sentry-token", "sntrys_", "[A-Za-z0-9+/_]{40,600}={0,2}(?:_[A-Za-z0-9+/]{43})?"),
    _token("sentry-user-token", "sntryu_", _x(64)),
    _token("dynatrace-token", "dt0c01. dt0s01. dt0s02.", _a(24) + "\\." + _a(64)),
    _token("posthog-key", "phx_", _a(43, 47) + _END, "github"),
    _token("prefect-token", "pnu_ pnb_", _a(36)),
    _token("linear-key", "lin_api_ lin_oauth_", _a(40, 64)),
    _token("notion-token", "ntn_", _a(46) + _END),
    _token("airtable-token", "pat", _a(14) + "\\." + _x(64)),
    _token("figma-token", "figd_", _w(40, 60), "github"),
    _token("contentful-token", "CFPAT-", _w(43), "github"),
    _token("hubspot-token", "pat-na1- pat-eu1- pat-na2-", _UUID, "github"),
    _token("typeform-token", "tfp_", "[A-Za-z0-9_.-]{40,60}"),
    _token("frameio-token", "fio-u-", "[A-Za-z0-9_-]{60,64}={0,4}"),
    _token("readme-key", "rdme_", "[a-z0-9]{70}"),
    _token("scalingo-token", "tk-us-", _w(48)),
    _token("infracost-token", "ico-", _a(32) + _END),
    _token("adafruit-key", "aio_", _a(28) + _END, "github"),
    _token("launchdarkly-key", "sdk- api-", _UUID, "trufflehog"),
)


def _form(
    name: str, keys: str, pattern: str, source: str, check: str = "random", near: str = "", files: tuple[str, ...] = ()
) -> SecretRule:
    return SecretRule(name, (), pattern.encode(), source, tuple(keys.encode().split(b"|")), check, near.encode(), files)


# The text between a name and its value: JSON, YAML and its blocks, assignments with a type, hash arrows, query strings.
_SET = (
    r"""["'`\]]{0,2}(?:[ \t]{0,4}:[ \t]{0,4}&?[A-Za-z]{1,12})?[ \t]{0,8}(?:=>|:=|==|[=:,]|%3[Dd])[ \t]{0,8}"""
    r"""(?:[|>][+-]?[ \t]{0,4}\r?\n[ \t]{1,16})?\(?(?:[bBrRuUfFlL@$]{0,2}\\?["'`])?"""
)
# From the beginning of a run of letters to the first position at which a JWT may begin. If there is none at that position, there is
# none later in the run, so there is one attempt for each run, however long it is.
_TO_JWT = r"(?<![A-Za-z0-9_-])(?>(?:(?<=\\)[nrt](?=eyJ))?)(?>(?:[A-Za-z0-9_-]*?[_-])??(?=eyJ))"


def _keyed(name: str, vendor: str, value: str) -> SecretRule:
    """A value without a format of its own, recognised by the name to which it is assigned."""
    words = "(?:key|token|secret|auth|pat|password|pwd)"
    pattern = f"(?i:{vendor}[A-Za-z0-9_.-]{{0,30}}?{words}[A-Za-z0-9_]{{0,12}}){_SET}(?P<value>{value}){_END}"
    return _form(name, vendor, pattern, "gitleaks")


RUN_FORMS: Final = (
    _form("private-key-base64", "ls0tls1crudjti", r"(?P<value>LS0tLS1CRUdJTi[A-Za-z0-9+/]{60,}+={0,2})", "rfc7468", "pem"),
    _form("azure-function-key", "azfu", r"(?<![A-Za-z0-9_-])(?P<value>[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}[AQgw]==)", "github"),
    _form(
        "azure-search-key", "azse", r"(?<![A-Za-z0-9])(?P<value>[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5})(?![A-Za-z0-9])", "github"
    ),
    _form("azure-devops-token", "azdo", r"(?<![A-Za-z0-9])(?P<value>[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?![A-Za-z0-9])", "github"),
    _form(
        "terraform-token", ".atlasv1.", r"(?<![A-Za-z0-9])(?P<value>[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70})", "gitleaks"
    ),
    _form("openai-legacy-key", "t3blbkfj", r"(?P<value>sk-[A-Za-z0-9_-]{20,200}?T3BlbkFJ[A-Za-z0-9_-]{20,200})", "gitleaks"),
    _form("mailchimp-key", "-us", r"(?<![A-Za-z0-9])(?P<value>[a-f0-9]{32}-us[0-9]{1,2})(?![A-Za-z0-9])", "github"),
    _form("maxmind-key", "_mmk", r"(?<![A-Za-z0-9])(?P<value>[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)", "gitleaks"),
    _form(
        "jwt",
        "eyj",
        _TO_JWT + r"(?P<value>eyJ[A-Za-z0-9_-]{10,}+\.eyJ[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{16,}+)",
        "rfc7519",
        "jwt",
    ),
)
"""Forms whose key is part of a long run of letters."""

FORMS: Final = (
    _form(
        "discord-token",
        "discord",
        r"(?<![A-Za-z0-9_-])(?P<value>[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})",
        "discord",
    ),
    _form("azure-signature", "sig=", r"s[vre]=[^\s\"'<>]{1,200}[?&]sig=(?P<value>[A-Za-z0-9%/+]{40,80}(?:%3D|=)?)", "azure"),
    _form(
        "azure-client-secret", "q~", r"(?<![A-Za-z0-9_~.-])(?P<value>[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34})", "gitleaks"
    ),
    _form(
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com\\?/(?:services|workflows|triggers)\\?/(?P<value>[A-Za-z0-9+/\\]{40,60})",
        "slack",
    ),
    _form(
        "discord-webhook",
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/(?P<value>[A-Za-z0-9_-]{60,72})",
        "discord",
    ),
    _form(
        "teams-webhook",
        "webhook.office.com",
        rf"webhook\.office\.com/webhookb2/(?P<value>{_UUID}@{_UUID}/IncomingWebhook/[a-f0-9]{{32}}/{_UUID})",
        "gitleaks",
    ),
    _form(
        "braintree-token",
        "access_token$",
        r"access_token\$(?:production|sandbox)\$(?P<value>[0-9a-z]{16}\$[0-9a-f]{32})",
        "trufflehog",
    ),
    _form(
        "asana-token", "asana", r"(?<![A-Za-z0-9])(?P<value>[12]/[0-9]{16}(?:/[0-9]{16})?:[a-f0-9]{32})(?![A-Za-z0-9])", "github"
    ),
    _form("openshift-token", "sha256~", r"(?P<value>sha256~[A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])", "gitleaks"),
)
"""Forms with a long run of letters and digits, whose key is outside that run."""

NAMED: Final = (
    _keyed("datadog-key", "datadog", "[a-f0-9]{40}|[a-f0-9]{32}"),
    _keyed("heroku-legacy-key", "heroku", _UUID),
    _keyed("cloudflare-token", "cloudflare", "[A-Za-z0-9_-]{40}|[a-f0-9]{37}"),
    _keyed("fastly-token", "fastly", "[A-Za-z0-9_-]{32}"),
    _keyed("algolia-key", "algolia", "[a-f0-9]{32}"),
    _keyed("okta-token", "okta", "00[A-Za-z0-9_-]{40}"),
    _keyed("snyk-token", "snyk", _UUID),
    _keyed("codecov-token", "codecov", _UUID),
)
"""Values without a format of their own, recognised by the names to which they are assigned."""

BARE_FORMS: Final = (
    _form(
        "aws-secret-key",
        "secret",
        rf"(?i:secret[_-]?access[_-]?key|aws[_.-]?secret[_.-]?(?:key)?){_SET}(?P<value>(?:[A-Za-z0-9/+]|%2[BbFf]){{40}}){_END}(?![/+=])",
        "aws",
        "mixed",
    ),
    _form("azure-storage-key", "accountkey=", r"(?i:AccountKey)=(?P<value>[A-Za-z0-9+/]{86}==)", "azure"),
    _form("azure-shared-key", "sharedaccesskey=", r"(?i:SharedAccessKey)=(?P<value>[A-Za-z0-9+/]{43}=)", "azure"),
    _form(
        "npmrc-auth",
        "_auth|:_password",
        r"(?://[A-Za-z0-9][A-Za-z0-9./:@_-]{0,200}:|npm (?:config )?set )_(?:authToken|auth|password)[ \t]{0,4}[= ][ \t]{0,4}"
        r"\"?(?P<value>[A-Za-z0-9+/=_.-]{16,}+)",
        "npmrc",
    ),
    # Without a registry before it, the line is npm's in npm's own file; elsewhere ``_auth`` is the end of anybody's name.
    _form(
        "npmrc-file-auth",
        "_auth|_password",
        r"(?m)^[ \t]{0,8}_(?:authToken|auth|password)[ \t]{0,4}=[ \t]{0,4}\"?(?P<value>[A-Za-z0-9+/=_.-]{16,}+)",
        "npmrc",
        files=(".npmrc", "npmrc", ".yarnrc"),
    ),
    _form(
        "docker-auth",
        '"auth',
        r"\"auth\\?\"[ \t]{0,4}:[ \t]{0,4}\\?\"(?P<value>[A-Za-z0-9+/]{12,}+={0,2})\\?\"",
        "docker",
        "login",
    ),
    _form(
        "basic-auth",
        "basic |basic%20",
        rf"(?i:basic)(?:[ \t]{{1,4}}|%20)(?P<value>[A-Za-z0-9+/]{{16,}}+={{0,2}}){_END}",
        "rfc7617",
        "login",
    ),
    _form(
        "url-password",
        "://",
        r"://[A-Za-z0-9_.~!*+%-]{0,64}:(?P<value>[^\s/@:\"'`<>\\|(),;]{8,}+)@[A-Za-z0-9\[]",
        "rfc3986",
        "password",
    ),
    _form(
        "connection-password",
        "password=|pwd=|password =|pwd =",
        r"(?<![A-Za-z])(?i:password|pwd)[ ]?=[ ]?(?P<value>[^;\s\"'`\\<>{}]{8,}+)",
        "sqlserver",
        "password",
        near=r"(?i)(?:server|data source|host|endpoint|database|initial catalog|user id|uid|username|user)[ ]?=[^;]{1,200}(?:;|$)",
    ),
    _form(
        "netrc-password",
        "machine ",
        r"machine[ \t]+[^\s]{1,200}\s{1,9}login\s{1,9}[^\s]{1,200}\s{1,9}password\s{1,9}(?P<value>[^\s\"'\\]{8,}+)",
        "netrc",
        "password",
    ),
    _form("telegram-token", ":aa", r"(?<![0-9])(?P<value>[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33})(?![A-Za-z0-9_-])", "telegram"),
)
"""Forms that may have no long run of letters."""

WHOLE_FILES: Final = {
    "env-file": ("gitleaks", (".env",)),
    "ssh-key-file": ("rfc7468", ("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk")),
    "credentials-file": ("netrc", (".netrc", "_netrc", ".pgpass", ".git-credentials", ".my.cnf", ".s3cfg", ".boto")),
}
"""Rule -> names of files that are secrets as a whole. ``.env`` includes ``.env.local`` and the like."""

ENV_SUFFIXES_KEPT: Final = frozenset(
    (
        *("example", "examples", "sample", "template", "tpl", "dist", "default", "defaults", "schema"),
        *("test", "testing", "ci", "d", "ts", "md"),
    )
)
"""Suffixes after ``.env.`` of files that are meant to be published: they list variables without values."""

"""Names of files that hold nothing but secrets, in lower case, as data for :mod:`hardtack.build.source.secret_files`."""

from __future__ import annotations

from typing import Final

CERTAIN: Final = frozenset(
    (
        # Logins and keys, where programs look for them
        *(".netrc", "_netrc", ".authinfo", ".authinfo2", ".pgpass", "pgpass.conf", ".git-credentials", ".my.cnf", ".mylogin.cnf"),
        *(".s3cfg", ".boto", ".pypirc", ".htpasswd", ".htdigest", ".dockercfg", ".fetchmailrc", ".passwd-s3fs", "passwd-s3fs"),
        *(".smbcredentials", ".cifs-credentials", ".smbpasswd", "smbpasswd", ".rsync_pass", ".vault-token", ".vault_pass"),
        *(".vault_password", ".vault-password", ".vault-pass", "vault_pass.txt", ".vault_pass.txt", ".ansible_vault_pass"),
        *(
            ".ansible-vault-password",
            ".rclone.conf",
            "rclone.conf",
            ".ncftp",
            ".ftpconfig",
            "sftp-config.json",
            ".remote-sync.json",
        ),
        *(
            "recentservers.xml",
            "sitemanager.xml",
            "filezilla.xml",
            "ws_ftp.ini",
            "winscp.ini",
            "robomongo.json",
            ".dbeaver-data-sources.xml",
        ),
        *(
            ".kubeconfig",
            "kubeconfig",
            "kubeconfig.yml",
            "kubeconfig.yaml",
            ".snowsql",
            ".databrickscfg",
            ".doctl",
            ".ngrok2",
            ".hub",
        ),
        *("credentials.tfrc.json", ".terraformrc", ".erlang.cookie", "jupyter_cookie_secret", ".msmtprc", ".mutt_pass"),
        *("chap-secrets", "pap-secrets", "ipsec.secrets", "sasl_passwd", "gshadow", "krb5.keytab", ".k5login", "master.passwd"),
        *("application_default_credentials.json", "accesstokens.json", "azureprofile.json", "msal_token_cache.json", "rootkey.csv"),
        *("hudson.util.secret", "initialadminpassword", "secret_key_base", ".secret_key_base", "master.key", "credentials.yml.key"),
        *(".restic-password", ".restic_password", ".borg-passphrase", ".borg_passphrase", ".duplicity_pass", ".sops-age-key.txt"),
        *("secring.gpg", "secring.pgp", "secring.kbx", "wallet.dat", "logins.json", "key3.db", "key4.db", "signons.sqlite"),
        *("login.keyring", "login data", "keychain.db", "tokenstore.db", "credentials.db", "access_tokens.db"),
        # What people typed
        *(".bash_history", ".zsh_history", ".sh_history", ".history", ".psql_history", ".mysql_history", ".rediscli_history"),
        *(".dbshell", ".python_history", ".irb_history", ".pry_history", ".node_repl_history", ".lesshst", ".viminfo"),
        # Keys of machines and of people
        *("ssh_host_rsa_key", "ssh_host_dsa_key", "ssh_host_ecdsa_key", "ssh_host_ed25519_key", "ssh_host_key", "privkey.pem"),
    )
)
"""Whatever is in such a file, it is a secret."""

UNSURE: Final = frozenset(
    (
        *(
            ".npmrc",
            "npmrc",
            ".yarnrc",
            ".yarnrc.yml",
            ".envrc",
            ".flaskenv",
            "pip.conf",
            "nuget.config",
            "settings.xml",
            "auth.json",
        ),
        *("auth.toml", "settings-security.xml", "gradle.properties", "keystore.properties", "key.properties", "signing.properties"),
        *(
            "htpasswd",
            "shadow",
            "passwd",
            "hosts.yml",
            "hub.yml",
            "kaggle.json",
            "wg0.conf",
            "wg1.conf",
            "wireguard.conf",
            "keys.txt",
        ),
        *("wp-config.php", "wpa_supplicant.conf", "terraform.rc", "bunfig.toml", ".bowerrc", "localsettings.php"),
        *("vault_pass", "vault-password-file", "vault_password", "age.key", "key.txt", "age-key.txt", "cookie_secret", "luks.key"),
        *("accesskeys.csv", "new_user_credentials.csv", "passwords.csv", "api_key.txt", "apikey.txt", "api_keys.txt", "identity"),
        *(".secrets", ".secret", ".credentials", ".token", ".password", ".passwd", ".apikey", ".api_key", ".dockerconfigjson"),
        *("deploy_rsa", "github_rsa", "travis_rsa", "deploy_key", "known_secrets", "authkey", ".esmtprc", ".muttrc", ".pgpkey"),
    )
)
"""Such a file is a secret if it holds a value that somebody chose."""

FOLDERS: Final = {
    ".aws": ("credentials",),
    ".docker": ("config.json",),
    ".kube": ("config",),
    ".gem": ("credentials",),
    ".cargo": ("credentials", "credentials.toml"),
    ".config/gh": ("hosts.yml",),
    "gh": ("hosts.yml",),
    ".config/gcloud": ("credentials.db", "access_tokens.db", "application_default_credentials.json"),
    ".config/pypoetry": ("auth.toml",),
    "pypoetry": ("auth.toml",),
    ".composer": ("auth.json",),
    ".config/composer": ("auth.json",),
    ".sbt": (".credentials", "credentials"),
    ".ivy2": (".credentials", "credentials"),
    ".ngrok2": ("ngrok.yml",),
    ".config/ngrok": ("ngrok.yml",),
    ".oci": ("config",),
    ".azure": ("accesstokens.json", "credentials"),
    ".kaggle": ("kaggle.json",),
    ".huggingface": ("token",),
    "huggingface": ("token", "stored_tokens"),
    ".circleci": ("cli.yml",),
    ".terraform.d": ("credentials.tfrc.json",),
    ".streamlit": ("secrets.toml",),
    ".snowflake": ("connections.toml",),
    "wireguard": ("privatekey", "presharedkey"),
    ".subversion/auth": ("*",),
    "private-keys-v1.d": ("*.key",),
    "config/credentials": ("*.key",),
    ".ssh": ("identity", "id"),
}
"""Folder -> names of files in it that are secrets, as with ``CERTAIN``; ``*`` stands for any letters at the beginning."""

UNSURE_FOLDERS: Final = {
    ".aws": ("config",),
    ".m2": ("settings.xml", "settings-security.xml"),
    ".bundle": ("config",),
    ".pip": ("pip.conf",),
    ".cargo": ("config.toml", "config"),
    ".nuget": ("nuget.config",),
    ".gradle": ("gradle.properties",),
    ".ssh": ("*",),
    "secrets": ("*",),
    ".secrets": ("*",),
    "etc/wireguard": ("*.conf",),
    "system-connections": ("*",),
}
"""The same, as with ``UNSURE``."""

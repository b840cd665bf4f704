"""PowerShell: names carry types, dollar signs and scopes."""

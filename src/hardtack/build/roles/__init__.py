"""Files in, the role of each out: what it is in its repository (:class:`hardtack.nouns.roles.Role`)."""

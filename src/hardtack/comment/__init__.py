"""Two bundles in, a comment on a pull request out: made by one job as data, checked and posted by another one.

    gathering   a comparison, what it reaches, what was left out -> a note
    note        a note <-> JSON of a closed, bounded schema
    rendering   a note -> Markdown of fewer than 60 lines
    words       names -> Markdown and Mermaid in which they mean nothing
    posting     a workflow run -> its pull request's one comment: written, edited, left as it is or removed
    artifact    a workflow run -> the note that it kept, downloaded and checked

The job that reads the pull request may not write, so it can only keep a note. Whoever opens a pull request from a fork can change
what that job does, so a note is a stranger's word: the pull request is found by GitHub's own account of the run, and nothing in a
note becomes a link, a mention or a command.
"""

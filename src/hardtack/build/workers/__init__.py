"""Worker processes that analyse files: started, limited, and replaced when one dies."""

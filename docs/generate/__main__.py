"""`make docs`: writes every page of docs/ that is generated from the code or shows the output of a
command."""

from . import refreshed_pages, written_pages

for files in (written_pages(), refreshed_pages()):
    for file, text in files:
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(f"wrote {file}")

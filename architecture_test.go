package waygate

import (
	"flag"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of ARCHITECTURE.md anew")

// TestArchitectureTable compares the table of packages in ARCHITECTURE.md with
// arrows: it has the same rows in the same order. What a package holds is written
// there by hand; -update begins a missing line with the package's own comment.
func TestArchitectureTable(t *testing.T) {
	const file, begin, end = "ARCHITECTURE.md", "| package | holds |\n|---|---|\n", "\n\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	have, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no table that begins with %q", file, begin)
	}
	holds := map[string]string{}
	for line := range strings.Lines(have) {
		cells := strings.Split(strings.Trim(line, "|\n "), " | ")
		if len(cells) != 2 {
			t.Fatalf("%s: a row of the table has %d cells: %s", file, len(cells), line)
		}
		holds[cells[0]] = cells[1]
	}
	var lines []string
	for _, row := range arrows {
		name := "`" + strings.TrimSuffix(row[0], "...") + "`"
		if holds[name] == "" {
			holds[name] = synopsis(t, strings.TrimRight(row[0], "/.*"))
		}
		lines = append(lines, "| "+name+" | "+holds[name]+" |")
	}
	want := strings.Join(lines, "\n")
	switch {
	case have == want:
	case *update:
		if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table of packages in %s is not that of arrows_test.go; go test -run TestArchitectureTable -update writes it anew", file)
	}
}

// synopsis returns the first sentence of a package's comment without its name.
func synopsis(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if source.Doc != nil {
			sentence := (&doc.Package{}).Synopsis(source.Doc.Text())
			return strings.TrimSuffix(strings.TrimPrefix(sentence, "Package "+source.Name.Name+" "), ".")
		}
	}
	t.Fatalf("no file in %s has a comment on its package", folder)
	return ""
}

// TestGlossaryWordsStandOnce fails where the glossary explains a word in two rows.
func TestGlossaryWordsStandOnce(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "| word | meaning |\n|---|---|\n")
	table, _, closed := strings.Cut(rest, "\n\n")
	if !ok || !closed {
		t.Fatal("ARCHITECTURE.md has no glossary")
	}
	seen := map[string]bool{}
	for line := range strings.Lines(table) {
		words, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		for word := range strings.SplitSeq(words, ", ") {
			if seen[word] {
				t.Errorf("the glossary explains %s in two rows; one row names both meanings", word)
			}
			seen[word] = true
		}
	}
}

package waygate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/waygate/waygate/guidance/narrate"
)

// documents reads every page of Markdown.
func documents(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || file == "data" || file == "shared"):
			return filepath.SkipDir
		case !strings.HasSuffix(file, ".md"):
			return nil
		}
		text, err := os.ReadFile(file)
		pages[filepath.ToSlash(file)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < 5 {
		t.Fatalf("only %d pages", len(pages))
	}
	return pages
}

func there(file string) bool {
	_, err := os.Stat(filepath.FromSlash(file))
	return err == nil
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code    = regexp.MustCompile("`([^`\n]+)`")
	place   = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+/?$`)
	repeat  = regexp.MustCompile(`go test ([^\n` + "`" + `]+)`)
	pattern = regexp.MustCompile(`-(run|bench) ('[^']*'|\S+)`)
	target  = regexp.MustCompile("(?m)(?:^    |`)make((?: [a-z-]+)+)")
)

// offered are the languages that the explorer offers.
var offered = regexp.MustCompile(`(?m)^  \["([\w-]+)", "[^"]+"\],$`)

// TestLanguagesAreNamed checks that the pages and the explorer name every
// language of the narration, and the explorer none that it lacks.
func TestLanguagesAreNamed(t *testing.T) {
	pages := documents(t)
	plan, err := os.ReadFile("web/src/plan/plan.ts")
	if err != nil {
		t.Fatal(err)
	}
	list, _, _ := strings.Cut(string(plan), "as const")
	answered := map[string]bool{}
	for _, found := range offered.FindAllStringSubmatch(list, -1) {
		l, asked := narrate.Find(found[1])
		if !asked || answered[l.Tag()] {
			t.Errorf("the explorer offers %s, which is answered in %s", found[1], l.Tag())
		}
		answered[l.Tag()] = true
	}
	for _, tag := range narrate.Languages() {
		if !answered[tag] {
			t.Errorf("the explorer does not offer %s", tag)
		}
		if !strings.Contains(pages["docs/languages.md"], "`"+tag+"`") {
			t.Errorf("docs/languages.md does not name %s", tag)
		}
		base, _ := language.MustParse(tag).Base()
		if name := display.English.Languages().Name(base); !strings.Contains(pages["README.md"], name) {
			t.Errorf("README.md does not name %s", name)
		}
	}
}

// TestLinks checks that the target of every link on a page is there: a file of the project,
// or a heading of the page itself or another.
func TestLinks(t *testing.T) {
	pages, links := documents(t), 0
	for page, text := range pages {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to, heading, deep := strings.Cut(m[1], "#")
			if strings.Contains(to, ":") {
				continue // elsewhere
			}
			links++
			file := page
			if to != "" {
				file = path.Join(path.Dir(page), to)
			}
			if !there(file) {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			} else if deep && !headed(pages[file], heading) {
				t.Errorf("%s links to %s, and %s has no such heading", page, m[1], file)
			}
		}
	}
	if links == 0 {
		t.Error("no page links to another")
	}
}

// headed reports whether a page has a heading that goes by a name in links.
func headed(text, name string) bool {
	for line := range strings.Lines(text) {
		title, is := strings.CutPrefix(strings.TrimLeft(strings.TrimSpace(line), "#"), " ")
		if !is || !strings.HasPrefix(line, "#") {
			continue
		}
		slug := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', 'a' <= r && r <= 'z', '0' <= r && r <= '9', r > 127:
				return r
			}
			return -1
		}, strings.ToLower(title))
		if slug == name {
			return true
		}
	}
	return false
}

// wordsAtMost bounds the documents together, so that they stay worth reading: who adds a
// page shortens another, and moves what is dated to bench/history.
const wordsAtMost = 35_000

// TestWordsOfDocuments checks that the documents for readers are below the bound. A word has
// a letter or a digit; the bars of tables are none.
func TestWordsOfDocuments(t *testing.T) {
	words, counted := 0, 0
	for page, text := range documents(t) {
		if strings.Contains(page, "/") && !strings.HasPrefix(page, "docs/") {
			continue // tables beside their code, and bench/history
		}
		counted++
		for word := range strings.FieldsSeq(text) {
			if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
				words++
			}
		}
	}
	t.Logf("%d words in %d documents", words, counted)
	if words > wordsAtMost {
		t.Errorf("the documents have %d words, at most %d: shorten them, or move what is dated to bench/history", words, wordsAtMost)
	}
	if counted < 20 {
		t.Errorf("only %d documents are counted", counted)
	}
}

// TestNamedPlaces checks that a file or folder that a page names by its path
// from a room of the project on is there.
func TestNamedPlaces(t *testing.T) {
	named := 0
	for page, text := range documents(t) {
		if strings.HasPrefix(page, "bench/history/") {
			continue // they name what was there on their day
		}
		for _, m := range code.FindAllStringSubmatch(text, -1) {
			room, _, _ := strings.Cut(m[1], "/")
			if !place.MatchString(m[1]) || !known(room) && room != "docs" && room != "scripts" {
				continue
			}
			named++
			if !there(m[1]) {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
	}
	if named < 50 {
		t.Errorf("only %d places are named", named)
	}
}

// document matches the path of a page from the root of the project on.
var document = regexp.MustCompile(`\b(?:docs|bench/history)/[a-z0-9/-]+\.md\b`)

// TestNamedDocuments checks that the pages which sources and scripts name are there.
func TestNamedDocuments(t *testing.T) {
	named := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"node_modules", "testdata", "dist", "data", "shared", "bin"}, d.Name())):
			return filepath.SkipDir
		case d.IsDir() || !slices.Contains([]string{".go", ".ts", ".mjs", ".sh", ".yaml"}, path.Ext(file)) && file != "Makefile":
			return nil
		}
		text, err := os.ReadFile(file)
		for _, page := range document.FindAllString(string(text), -1) {
			named++
			if !there(page) {
				t.Errorf("%s names %s, which is not there", file, page)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if named < 10 {
		t.Errorf("only %d pages are named", named)
	}
}

// TestRepeatable checks that the tests and benchmarks exist which a page says to
// repeat its figures with.
func TestRepeatable(t *testing.T) {
	commands := 0
	for page, text := range documents(t) {
		for _, m := range repeat.FindAllStringSubmatch(text, -1) {
			pkg, _, _ := strings.Cut(m[1], " ")
			names := tests(t, pkg)
			commands++
			for _, p := range pattern.FindAllStringSubmatch(m[1], -1) {
				top, _, _ := strings.Cut(strings.Trim(p[2], "'"), "/")
				for one := range strings.SplitSeq(top, "|") {
					if one != "^$" && !finds(t, names[p[1]], one) {
						t.Errorf("%s: nothing in %s has a name like -%s %s", page, pkg, p[1], one)
					}
				}
			}
		}
	}
	if commands < 10 {
		t.Errorf("only %d commands", commands)
	}
}

func finds(t *testing.T, names []string, expression string) bool {
	t.Helper()
	x, err := regexp.Compile(expression)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if x.MatchString(name) {
			return true
		}
	}
	return false
}

// tests lists the tests and benchmarks of a package, or of all below a folder.
func tests(t *testing.T, pkg string) map[string][]string {
	t.Helper()
	dir, below := strings.CutSuffix(pkg, "/...")
	names := map[string][]string{}
	err := filepath.WalkDir(filepath.FromSlash(dir), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && !below && filepath.Clean(file) != filepath.Clean(dir) {
				return filepath.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, x := range source.Decls {
			f, is := x.(*ast.FuncDecl)
			switch {
			case !is:
			case strings.HasPrefix(f.Name.Name, "Test"):
				names["run"] = append(names["run"], f.Name.Name)
			case strings.HasPrefix(f.Name.Name, "Benchmark"):
				names["bench"] = append(names["bench"], f.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestTargets checks that the Makefile has the targets that the pages name.
func TestTargets(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for page, text := range documents(t) {
		for _, m := range target.FindAllStringSubmatch(text, -1) {
			for name := range strings.FieldsSeq(m[1]) {
				asked++
				if !strings.Contains(string(makefile), "\n"+name+":") {
					t.Errorf("%s asks for make %s, which is no target", page, name)
				}
			}
		}
	}
	if asked < 5 {
		t.Errorf("only %d targets are asked for", asked)
	}
}

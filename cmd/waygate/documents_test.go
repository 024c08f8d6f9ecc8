package main

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// words are those of a line for a shell, quoted or not.
var words = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)

// TestDocumentedCommands checks that the command line takes what the pages say
// to type. What the commands then do is tested elsewhere.
func TestDocumentedCommands(t *testing.T) {
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, page := range append(docs, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, " # ")
			typed, code := strings.CutPrefix(line, "    ")
			typed, ours := strings.CutPrefix(strings.TrimPrefix(typed, "bin/"), "waygate ")
			if !code || !ours {
				continue
			}
			lines++
			args := words.FindAllString(typed, -1)
			for i := range args {
				args[i] = strings.Trim(args[i], `"'`)
			}
			if err := parses(t, args); err != nil {
				t.Errorf("%s: waygate %s: %v", filepath.Base(page), strings.TrimSpace(typed), err)
			}
		}
	}
	if lines < 8 {
		t.Errorf("only %d commands are documented", lines)
	}
	if parses(t, []string{"keys", "mnit", "x"}) == nil {
		t.Error("anything is taken for a command")
	}
}

// TestDocumentedSettings checks that every setting that a page or a file of a
// deployment names is one.
func TestDocumentedSettings(t *testing.T) {
	app, err := kong.New(new(commands))
	if err != nil {
		t.Fatal(err)
	}
	known := environment(app.Model.Node, map[string]bool{})
	named := map[string]bool{}
	for _, pattern := range []string{"README.md", "docs/*.md", "deploy/*", "compose.yaml", "Dockerfile"} {
		files, err := filepath.Glob("../../" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range regexp.MustCompile(`\bSVC_[A-Z0-9_]+\b`).FindAllString(string(text), -1) {
				named[name] = true
				if !known[name] && name != "SVC_NAME" {
					t.Errorf("%s: %s is no setting", filepath.Base(file), name)
				}
			}
		}
	}
	if len(named) < 20 {
		t.Errorf("only %d settings are documented", len(named))
	}
}

// parsed reads a command line, which must be one.
func parsed(t *testing.T, args []string) *commands {
	t.Helper()
	var c commands
	if err := parsesInto(t, &c, args); err != nil {
		t.Fatal(err)
	}
	return &c
}

// parses reads a command line; files need not be there.
func parses(t *testing.T, args []string) error {
	t.Helper()
	return parsesInto(t, new(commands), args)
}

func parsesInto(t *testing.T, c *commands, args []string) error {
	t.Helper()
	anything := kong.MapperFunc(func(x *kong.DecodeContext, to reflect.Value) error {
		if to.Kind() != reflect.Slice {
			return x.Scan.PopValueInto("file", to.Addr().Interface())
		}
		for x.Scan.Peek().IsValue() {
			to.Set(reflect.Append(to, reflect.ValueOf(x.Scan.Pop().String())))
		}
		return nil
	})
	app, err := kong.New(c, kong.Name("waygate"), kong.Writers(io.Discard, io.Discard), kong.NamedMapper("existingfile", anything), kong.NamedMapper("existingdir", anything))
	if err != nil {
		t.Fatal(err)
	}
	_, err = app.Parse(slices.Clone(args))
	return err
}

package main

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestCandidates completes command lines, whose words are separated by | and of which
// the last is being written.
func TestCandidates(t *testing.T) {
	parser, err := newParser(t.Context(), &commands{})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"se":                               "serve",
		"keys|":                            "mint list revoke credit",
		"keys|mint|--sc":                   "--scope",
		"keys|mint|--scope|":               "full maps",
		"keys|mint|--scope|=|m":            "maps", // as Bash splits it
		"keys|mint|--scope|=":              "full maps",
		"keys|mint|--scope=f":              "--scope=full",
		"keys|mint|--scope|full|--js":      "--json",
		"keys|mint|--scope=full|--js":      "--json",
		"keys|mint|--scope|=|full|--js":    "--json",
		"keys|mint|--json|--js":            "--json",
		"serve|--log-f":                    "--log-format",
		"serve|--region|":                  "", // a folder: the shell's own affair
		"serve|--region|a|--log-format|js": "json",
		"plan|--re":                        "--region --replan",
		"run|--no-s":                       "--no-sample-traffic",
		"bench|make|-n|5|--kin":            "--kind",
		"completion|":                      "bash zsh fish",
		"completion|bash|":                 "",
		"verify|":                          "",
		"comp":                             "completion", // not the command that scripts call
		"serve|--nonsense|--log-l":         "--log-level",
		"serve|--nonsense=":                "",
	} {
		var got []string
		for _, c := range candidates(parser.Model.Node, strings.Split(line, "|")) {
			got = append(got, c.word)
			if strings.ContainsAny(c.says, "\t\n") {
				t.Errorf("%s: the description of %s is %q", line, c.word, c.says)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", line, got, want)
		}
	}
	if all := candidates(parser.Model.Node, nil); len(all) < 10 {
		t.Errorf("nothing written yet: %v", all)
	}
}

// TestFlagsHaveOneMeaning looks for commands that have two flags of one name, of which one
// would hide the other.
func TestFlagsHaveOneMeaning(t *testing.T) {
	t.Parallel()
	var c commands
	parser, err := newParser(t.Context(), &c)
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		seen := map[string]bool{}
		for _, group := range n.AllFlags(false) {
			for _, f := range group {
				if seen[f.Name] {
					t.Errorf("%s has two flags --%s", n.FullPath(), f.Name)
				}
				seen[f.Name] = true
			}
		}
		for _, child := range n.Children {
			walk(child)
		}
	}
	walk(parser.Model.Node)
}

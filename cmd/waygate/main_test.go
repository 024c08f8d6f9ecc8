package main

import (
	"strings"
	"testing"
)

// TestMistakes holds that a mistake on the command line or in the environment is
// answered with its reason first, and where to read on.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name, value string // of a variable
		args        []string
		want        []string
	}{
		{args: []string{"serv"}, want: []string{`unexpected argument serv`, `"serve"`, "waygate --help"}},
		{args: []string{"serve", "--no-such"}, want: []string{"unknown flag --no-such", "waygate serve --help"}},
		{args: []string{"import"}, want: []string{"--out", "waygate import --help"}},
		{args: []string{"serve", "--max-body", "0"}, want: []string{"SVC_MAX_BODY is 0", "waygate serve --help"}},
		{name: "SVC_DEMO_RPM", value: "many", args: []string{"serve"}, want: []string{"--demo-rpm", `"many"`}},
		{name: "SVC_DEMO_RMP", value: "3", args: []string{"version"}, want: []string{"SVC_DEMO_RMP is no setting", "did you mean SVC_DEMO_RPM?"}},
		{name: "SVC_QQQQQ", value: "", args: []string{"version"}, want: []string{"SVC_QQQQQ is no setting: "}},
	} {
		t.Run(c.name+strings.Join(c.args, " "), func(t *testing.T) {
			if c.name != "" {
				t.Setenv(c.name, c.value)
			}
			err := run(c.args)
			if err == nil {
				t.Fatal("no error")
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
			if first, _, _ := strings.Cut(err.Error(), "\n"); strings.Contains(first, "Usage") {
				t.Errorf("%q does not begin with the reason", err)
			}
		})
	}
	t.Run("a setting that is empty is none", func(t *testing.T) {
		t.Setenv("SVC_MAX_BODY", "")
		if err := run([]string{"version"}); err != nil {
			t.Error(err)
		}
	})
}

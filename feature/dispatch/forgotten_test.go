package dispatch

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/wire/native/plan"
)

// TestForgotten looks into the database's files: they have what a plan says of people until it is
// deleted, and no longer.
func TestForgotten(t *testing.T) {
	for name, end := range map[string]func(s *scene, id string) error{
		"deleted": func(s *scene, id string) error { return s.Service.Delete(s.Context(), "key", id) },
		"expired": func(s *scene, _ string) error {
			s.now = s.now.Add(30 * 24 * time.Hour)
			return s.Tidy(s.Context())
		},
		"key ended": func(s *scene, _ string) error {
			s.over = []string{"key"}
			return s.Tidy(s.Context())
		},
	} {
		t.Run(name, func(t *testing.T) {
			address := storetest.SQLite(t)
			s := newScene(t, address)
			stops := make([]plan.PublishedStop, 60)
			for i := range stops {
				stops[i] = stopAt(strings.Repeat("x", i+1), int64(i))
				stops[i].Name, stops[i].Address = "Quillfeather", "Quillfeather Street"
			}
			p := s.publish("key", request(round("v", stops...)))
			if _, err := s.Mark(t.Context(), s.token(p, "v", ""), []plan.StopMark{{Stop: "x", State: "failed", Note: "Quillfeather is out", At: s.now}}); err != nil {
				t.Fatal(err)
			}
			if !written(t, address, "Quillfeather") {
				t.Fatal("the plan is in no file of the database")
			}
			if err := end(s, p.ID); err != nil {
				t.Fatal(err)
			}
			if written(t, address, "Quillfeather") {
				t.Error("the database's files still have names of the plan")
			}
		})
	}
}

// written reports whether a file of an SQLite database has a text.
func written(t *testing.T, address, text string) bool {
	t.Helper()
	files, err := filepath.Glob(strings.TrimPrefix(address, "sqlite:") + "*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of %s: %v", address, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(content, []byte(text)) {
			return true
		}
	}
	return false
}

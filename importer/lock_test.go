package importer

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

func TestOneImportAtATime(t *testing.T) {
	dir := t.TempDir()
	if _, err := Run(context.Background(), Options{Dir: dir, Sources: []string{filepath.Join(dir, "absent.osm.pbf")}}); err == nil {
		t.Fatal("an absent extract was imported")
	}
	unlock, err := lock(filepath.Join(dir, workFolder))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(context.Background(), Options{Dir: dir, Sources: []string{filepath.Join(dir, "absent.osm.pbf")}})
	if err == nil || !strings.Contains(err.Error(), "another import") {
		t.Errorf("a second import in the same folder: %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
}

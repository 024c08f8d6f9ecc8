package web

import (
	"io/fs"
	"os"
	"regexp"
	"testing"
)

// A binary built before the site must say so, and one built after it must
// hold every file that index.html asks for.
func TestFilesMatchesTheBuild(t *testing.T) {
	_, err := os.Stat("dist/index.html")
	built := err == nil

	site, ok := Files()
	if ok != built {
		t.Fatalf("Files reports a built site: %v, but dist/index.html exists: %v", ok, built)
	}
	if !built {
		if site != nil {
			t.Fatal("Files returns a file system without a built site")
		}
		return
	}
	page, err := fs.ReadFile(site, "index.html")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`(?:src|href)="\./([^"]+)"`).FindAllSubmatch(page, -1)
	if len(links) < 2 {
		t.Fatalf("index.html asks for %d files, want at least its script and its style", len(links))
	}
	for _, link := range links {
		if _, err := fs.Stat(site, string(link[1])); err != nil {
			t.Errorf("index.html asks for %s: %v", link[1], err)
		}
	}
}

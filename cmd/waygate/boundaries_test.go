package main

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/importer/importertest"
)

// The boundaries of a folder that is named for all regions are those of its
// region, and a folder without any is refused at the start.
func TestBoundariesOfAFolder(t *testing.T) {
	s := quick()
	if b, err := s.boundaries(); err != nil || b.Instead != nil {
		t.Error(b, err)
	}
	s.Boundaries = importertest.County(t)
	if b, err := s.boundaries(); err != nil || b.Instead == nil || b.Instead.Len() == 0 {
		t.Error(b, err)
	}
	s.Boundaries = t.TempDir()
	if _, err := s.boundaries(); err == nil || !strings.Contains(err.Error(), "SVC_ADMIN_BOUNDARIES_DB") || !strings.Contains(err.Error(), s.Boundaries) {
		t.Error(err)
	}
}

package world

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/waygate/waygate/region"
)

// Hash identifies the data of the region: two regions with the same hash answer alike. It is
// SHA-256 over the names, format versions and checksums of its sections, a line for each,
// sorted, in hexadecimal with sha256: before it; "none" without a region.
func (r *Region) Hash() string {
	if r.files == nil {
		return "none"
	}
	return hashOf(r.files.Manifest)
}

func hashOf(m *region.Manifest) string {
	lines := make([]string, len(m.Sections))
	for i, s := range m.Sections {
		lines[i] = fmt.Sprintf("%s %d %s\n", s.Name, s.Version, s.SHA256)
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

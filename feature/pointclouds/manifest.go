package pointclouds

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/index/strict"
)

// Manifest describes a dataset: the JSON file manifests/<dataset>.json of the store.
type Manifest struct {
	// Files are the sizes in bytes of the files that are served, by name. They lie in the
	// folder <dataset> of the store.
	Files      map[string]int64 `json:"files"`
	IdentityID *string          `json:"identity_id"` // of the owner, whose keys may read it; nil is none
	KeyIDs     []string         `json:"key_ids"`     // of other keys that may read it
	Public     bool             `json:"public"`      // every key may read it
	Clearance  *Clearance       `json:"clearance"`   // nil has no measured clearance
}

// Limits of a manifest.
const (
	mostManifest = 1 << 20 // bytes
	mostFiles    = 10_000
	mostKeys     = 200
	mostID       = 100     // characters of an id
	mostBytes    = 1 << 50 // of all files together, so that those of all datasets can be added up
)

var (
	datasetName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,99}$`)
	fileName    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.(bin|json)$`)
)

// ReadManifest reads and checks a manifest. Errors name the member, its value and its limit.
func ReadManifest(data []byte) (*Manifest, error) {
	m := &Manifest{}
	if err := strict.Decode(data, m); err != nil {
		return nil, err
	}
	if len(m.Files) > mostFiles {
		return nil, fmt.Errorf("files has %d entries, above the limit of %d", len(m.Files), mostFiles)
	}
	all := int64(0)
	for name, size := range m.Files {
		if !fileName.MatchString(name) {
			return nil, fmt.Errorf("files: %q must be letters, digits, dots, underscores and hyphens that end in .bin or .json", fault.Clip(name))
		}
		if size < 0 || size > mostBytes-all {
			return nil, fmt.Errorf("files: %s has a size of %d bytes; a size is at least 0, and all together at most %d", name, size, int64(mostBytes))
		}
		all += size
	}
	if len(m.KeyIDs) > mostKeys {
		return nil, fmt.Errorf("key_ids has %d entries, above the limit of %d", len(m.KeyIDs), mostKeys)
	}
	ids := slices.Clone(m.KeyIDs)
	if m.IdentityID != nil {
		ids = append(ids, *m.IdentityID)
	}
	for _, id := range ids {
		if id == "" || len(id) > mostID {
			return nil, fmt.Errorf("identity_id and key_ids: %q must be 1 to %d characters", fault.Clip(id), mostID)
		}
	}
	if m.Clearance != nil {
		return m, m.Clearance.check()
	}
	return m, nil
}

// Viewer is the caller who reads a file.
type Viewer struct {
	Key      string // ID of the key
	Identity string // ID of its identity; "" for a key minted by an operator
}

// visible reports whether a viewer may read the dataset. One whose manifest names nobody is
// not read by anybody.
func (m *Manifest) visible(to Viewer) bool {
	return m.Public || slices.Contains(m.KeyIDs, to.Key) || m.IdentityID != nil && *m.IdentityID == to.Identity
}

// bytes returns the size of all files.
func (m *Manifest) bytes() (all int64) {
	for _, size := range m.Files {
		all += size
	}
	return all
}

// owner returns the account that the hosting is billed to: an identity ID, operator:<key ID> with the first key, or
// public; "" where the manifest names nobody.
func (m *Manifest) owner() string {
	switch {
	case m.IdentityID != nil:
		return *m.IdentityID
	case len(m.KeyIDs) > 0:
		return "operator:" + m.KeyIDs[0]
	case m.Public:
		return "public"
	}
	return ""
}

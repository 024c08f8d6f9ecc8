package region

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// VerdictsName is the file in a region's folder that names the regions which must not be
// served from it, and those that its operator accepts all the same.
const VerdictsName = "region.verdicts.json"

// mostVerdicts is how many refused and how many accepted regions are kept, the latest.
const mostVerdicts = 20

// Refusal is a region that was turned down.
type Refusal struct {
	Hash   string    `json:"hash"` // as of Manifest.Hash
	At     time.Time `json:"at"`
	Reason string    `json:"reason"` // after "it"
}

// Verdicts are the regions that were turned down in a folder, and those that were accepted.
type Verdicts struct {
	Refused  []Refusal `json:"refused"`
	Accepted []string  `json:"accepted"` // hashes
	// Serving is the hash of the region that was in service last and did not fail; "" where
	// that was not kept. Imports over others leave it to go back to.
	Serving string `json:"serving,omitempty"`
}

// Hash identifies the data of a region: two regions with the same hash answer alike. It is
// SHA-256 over the names, format versions and checksums of its sections, a line for each,
// sorted, in hexadecimal with sha256: before it.
func (m *Manifest) Hash() string {
	lines := make([]string, len(m.Sections))
	for i, s := range m.Sections {
		lines[i] = fmt.Sprintf("%s %d %s\n", s.Name, s.Version, s.SHA256)
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// errNoVerdicts is the error of a file that has no verdicts in it, as a full disk leaves one.
var errNoVerdicts = errors.New("it is not the JSON of verdicts, and the next verdict replaces it")

// ReadVerdicts reads the verdicts of a folder; there are none where it has no file of them, nor
// with an error.
func ReadVerdicts(dir string) (Verdicts, error) {
	path := filepath.Join(dir, VerdictsName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Verdicts{}, nil
	}
	if err != nil {
		return Verdicts{}, err
	}
	var v Verdicts
	if err := json.Unmarshal(data, &v); err != nil {
		return Verdicts{}, fmt.Errorf("%s: %w (%w)", path, errNoVerdicts, err)
	}
	return v, nil
}

// Of returns the refusal of a region, nil where it was not turned down.
func (v *Verdicts) Of(hash string) *Refusal {
	if i := slices.IndexFunc(v.Refused, func(r Refusal) bool { return r.Hash == hash }); i >= 0 {
		return &v.Refused[i]
	}
	return nil
}

// Refuse keeps that a region was turned down.
func Refuse(dir string, r Refusal) error {
	return judge(dir, func(v *Verdicts) { v.Refused = append(v.Refused, r) }, r.Hash)
}

// Accept has the region sealed in a folder served, whatever is found of its answers, and
// marks its manifest as new, so that a server which has turned it down looks again.
func Accept(dir string) error {
	m, err := ReadManifest(dir)
	if err != nil {
		return err
	}
	hash := m.Hash()
	if err := judge(dir, func(v *Verdicts) { v.Accepted = append(v.Accepted, hash) }, hash); err != nil {
		return err
	}
	now := time.Now()
	return os.Chtimes(filepath.Join(dir, ManifestName), now, now)
}

// Serve keeps that a region is in service; "" that this is not known any more. Verdicts that are not readable stay as they are.
func Serve(dir, hash string) error {
	if v, err := ReadVerdicts(dir); err != nil || v.Serving == hash {
		return err
	}
	return alone(dir, func() error {
		v, err := ReadVerdicts(dir)
		if err != nil {
			return err
		}
		v.Serving = hash
		return v.write(dir)
	})
}

// judge changes the verdicts of a folder, after what they say of a region was removed.
func judge(dir string, change func(*Verdicts), hash string) error {
	return alone(dir, func() error {
		v, err := ReadVerdicts(dir)
		if err != nil && !errors.Is(err, errNoVerdicts) {
			return err
		}
		v.Refused = slices.DeleteFunc(v.Refused, func(r Refusal) bool { return r.Hash == hash })
		v.Accepted = slices.DeleteFunc(v.Accepted, func(h string) bool { return h == hash })
		change(&v)
		v.Refused, v.Accepted = v.Refused[max(0, len(v.Refused)-mostVerdicts):], v.Accepted[max(0, len(v.Accepted)-mostVerdicts):]
		return v.write(dir)
	})
}

// Verdicts are changed under a lock, by the processes of a folder one after another: each reads
// what is there and writes it with its own. One that waits longer than lockTime fails.
const (
	lockName  = "region.verdicts.lock"
	lockTime  = 10 * time.Second
	lockEvery = 5 * time.Millisecond
)

// alone makes a change to the verdicts of a folder while nobody else makes one. On a file system
// without locks two at once may leave one of theirs.
func alone(dir string, change func() error) error {
	lock := flock.New(filepath.Join(dir, lockName), flock.SetPermissions(0o644))
	ctx, cancel := context.WithTimeout(context.Background(), lockTime)
	defer cancel()
	held, err := lock.TryLockContext(ctx, lockEvery)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("another process keeps %s locked: %w", lock.Path(), err)
	}
	err = change()
	if held {
		err = errors.Join(err, lock.Unlock())
	}
	return err
}

func (v *Verdicts) write(dir string) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, VerdictsName)
	return writeSynced(path, path+"."+rand.Text()+".new", append(data, '\n'))
}

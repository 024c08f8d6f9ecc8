package territory

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/region"
)

// Pull fetches a territory from a server into a folder, which becomes a region that can be
// served.
type Pull struct {
	Server  *Server
	ID      string
	Version int64  // 0 is the newest
	Dir     string // of the region
	// Report is called with the progress of a layer and of all layers, in bytes. It may be
	// nil.
	Report func(file string, done, size int64)
}

// The files of a pull in the folder: the manifest it was made from, and the directory of
// incomplete layers.
const (
	pulledName = "territory.json"
	workFolder = ".pull"
	partSuffix = ".part"
)

// Run fetches the layers that the folder lacks, checks them, and makes them the folder's
// region. It resumes an interrupted pull. Where Version is 0 and the server's newest
// version is older than the folder's, Run returns an error.
func (p *Pull) Run(ctx context.Context) (*Manifest, error) {
	m, document, signature, err := p.Server.manifest(ctx, p.ID, p.Version)
	if err != nil {
		return nil, err
	}
	if err := p.checkForwards(m); err != nil {
		return nil, err
	}
	work := filepath.Join(p.Dir, workFolder)
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, err
	}
	done, size := int64(0), m.Bytes()
	for _, l := range m.Layers {
		into := p.Dir
		if l.Kind == KindRegion {
			into = work // moved last: it makes the folder a region
		}
		d := download{server: p.Server, manifest: m, layer: l, part: filepath.Join(work, l.Addr+partSuffix), path: filepath.Join(into, l.File)}
		d.report = func(of int64) {
			if p.Report != nil {
				p.Report(l.File, done+of, size)
			}
		}
		if err := d.run(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", l.File, err)
		}
		done += l.Bytes
	}
	if err := p.seal(m, work); err != nil {
		return nil, err
	}
	into := blob.NewFolder(p.Dir) // replaces files atomically: half a manifest would stop all later pulls
	for name, data := range map[string][]byte{pulledName: document, SignatureName(pulledName): signature} {
		if err := into.Write(ctx, name, bytes.NewReader(data), int64(len(data))); err != nil {
			return nil, err
		}
	}
	return m, tidy(work)
}

// tidy removes the incomplete layers of abandoned downloads.
func tidy(work string) error {
	parts, err := filepath.Glob(filepath.Join(work, "*"+partSuffix))
	for _, part := range parts {
		err = errors.Join(err, os.Remove(part))
	}
	return err
}

// checkForwards returns an error where the folder has another territory, or a newer version
// than m and none was asked for by number.
func (p *Pull) checkForwards(m *Manifest) error {
	data, err := os.ReadFile(filepath.Join(p.Dir, pulledName))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(filepath.Join(p.Dir, region.ManifestName)); err == nil {
			return fmt.Errorf("%s holds a region that was not pulled: name another folder", p.Dir)
		}
		return nil
	}
	if err != nil {
		return err
	}
	old, err := ReadManifest(data)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", p.Dir, err)
	case old.ID != m.ID:
		return fmt.Errorf("%s holds the territory %s: name another folder for %s", p.Dir, old.ID, m.ID)
	case p.Version == 0 && old.Version > m.Version:
		return fmt.Errorf("%s holds version %d of %s, and the server's newest is %d: name the version to go back", p.Dir, old.Version, m.ID, m.Version)
	}
	return nil
}

// seal makes the layers the region of the folder. The error is ErrTampered where the
// region's manifest names other files.
func (p *Pull) seal(m *Manifest, work string) error {
	of, err := region.ReadManifest(work)
	if err != nil {
		return err
	}
	if of.ID != m.ID {
		return fmt.Errorf("the territory %s holds the region %s", m.ID, of.ID)
	}
	for _, s := range of.Sections {
		if !slices.ContainsFunc(m.Layers, func(l Layer) bool {
			return l.File == s.File && l.Addr == s.SHA256 && l.Bytes == s.Size && l.Kind == kindOf(s.Name)
		}) {
			return fmt.Errorf("the region of territory %s has a section %s that is no layer of its kind: %s", m.ID, clip(s.Name), clip(s.File))
		}
	}
	if old, err := region.ReadManifest(p.Dir); err == nil && reflect.DeepEqual(old, of) {
		return nil // a server that serves the folder need not open it again
	}
	return region.Seal(p.Dir, of)
}

// Trusted returns the public key that a server's documents must be signed with: known, the
// key stored at the first contact, which must equal the one that the server announces, or
// the announced one where none is known.
func Trusted(known, announced ed25519.PublicKey) (ed25519.PublicKey, error) {
	switch {
	case announced == nil && known == nil:
		return nil, errors.New("the server announces no key that it signs territories with")
	case known == nil:
		return announced, nil
	case announced != nil && !known.Equal(announced):
		return nil, fmt.Errorf("the server signs with another key, %s, than the one known of it, %s: if its operator has changed it, say so with --key", PublicText(announced), PublicText(known))
	}
	return known, nil
}

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

// Pull fetches a territory from a server into a folder.
type Pull struct {
	Server  *Server
	ID      string
	Version int64  // 0 is the newest
	Dir     string // becomes a region that can be served
	// Report hears how far it is: of a layer, and of all of them. Nil is quiet.
	Report func(file string, done, size int64)
}

// The manifest a folder was pulled by, and where layers lie until they are whole.
const (
	pulledName = "territory.json"
	workFolder = ".pull"
	partSuffix = ".part"
)

// Run fetches what the folder lacks and, when all of it is there and right, makes
// it the folder's region. What was fetched before an interruption is gone on
// with. A newest version that is older than the folder's is refused.
func (p *Pull) Run(ctx context.Context) (*Manifest, error) {
	m, document, signature, err := p.Server.manifest(ctx, p.ID, p.Version)
	if err != nil {
		return nil, err
	}
	if err := p.forwards(m); err != nil {
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
			into = work // it makes a region of the folder when the others are there
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
	into := blob.NewFolder(p.Dir) // which replaces a file whole: a half would stop all pulls after it
	for name, data := range map[string][]byte{pulledName: document, SignatureName(pulledName): signature} {
		if err := into.Write(ctx, name, bytes.NewReader(data), int64(len(data))); err != nil {
			return nil, err
		}
	}
	return m, tidy(work)
}

// tidy removes what is left of downloads that were given up.
func tidy(work string) error {
	parts, err := filepath.Glob(filepath.Join(work, "*"+partSuffix))
	for _, part := range parts {
		err = errors.Join(err, os.Remove(part))
	}
	return err
}

// forwards refuses to replace what is there by what is older, unless that version
// was asked for, or by another territory.
func (p *Pull) forwards(m *Manifest) error {
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

// seal makes the layers the region of the folder, if the region's manifest names
// none but them.
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
		return nil // a server of the folder need not open it again
	}
	return region.Seal(p.Dir, of)
}

// Trusted gives the key of a server to go by: the one that is known, which must be
// the one the server tells, or that one where none is known yet.
func Trusted(known, told ed25519.PublicKey) (ed25519.PublicKey, error) {
	switch {
	case told == nil && known == nil:
		return nil, errors.New("the server tells no key that it signs territories with")
	case known == nil:
		return told, nil
	case told != nil && !known.Equal(told):
		return nil, fmt.Errorf("the server signs with another key, %s, than the one known of it, %s: if its operator has changed it, say so with --key", PublicText(told), PublicText(known))
	}
	return known, nil
}

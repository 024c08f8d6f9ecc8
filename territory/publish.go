package territory

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/index/landmark"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/region"
)

// Publication is a version of a territory to publish.
type Publication struct {
	Region  string             // the folder of a sealed region
	Polygon json.RawMessage    // the GeoJSON geometry of its area; nil is its bounds
	Fonts   *glyph.Fonts       // the fonts whose glyphs are packed
	Key     ed25519.PrivateKey // the signing key
	Builder string             // the gateway's version
}

// Publish adds a region to a store as the next version of the territory with its id. Where
// the newest version has the same files, Publish returns that one and fresh is false. One
// process at a time may publish into a store.
func Publish(ctx context.Context, to blob.Store, p Publication) (m *Manifest, fresh bool, err error) {
	if err := region.Verify(ctx, p.Region); err != nil {
		return nil, false, err
	}
	of, err := region.ReadManifest(p.Region)
	if err != nil {
		return nil, false, err
	}
	x, err := p.index(ctx, to)
	if err != nil {
		return nil, false, err
	}
	m = &Manifest{
		Format: plain, ID: of.ID, Name: of.Name, Version: 1, Built: of.Built.UTC().Truncate(time.Second), Builder: p.Builder, Polygon: p.Polygon, Attribution: append([]string{}, of.Attribution...),
		BBox: [4]float64{of.Bounds.Min.Lon, of.Bounds.Min.Lat, of.Bounds.Max.Lon, of.Bounds.Max.Lat},
	}
	if of.OSMTimestamp != nil {
		day := of.OSMTimestamp.UTC().Format(time.DateOnly)
		m.DataUpdated = &day
	}
	files, err := p.layers(of, m)
	if err != nil {
		return nil, false, err
	}
	if before := x.Entry(m.ID); before != nil {
		old, err := p.published(ctx, to, before)
		if err != nil {
			return nil, false, err
		}
		m.keepVoices(old)
		if old.alike(m) {
			return old, false, nil
		}
		m.Version = before.Version + 1
	}
	for i := range files {
		if err := files[i].put(ctx, to, m.Layers[i]); err != nil {
			return nil, false, err
		}
	}
	return m, true, p.announce(ctx, to, x, m)
}

// keepVoices adds the voices of the version before, whose files the store has: a new map of an
// area needs no new voice.
func (m *Manifest) keepVoices(old *Manifest) {
	for _, l := range old.Layers {
		if l.Kind == KindVoice {
			m.Layers, m.Format = append(m.Layers, l), Format
		}
	}
}

// PublishVoice adds a pack of clips, or replaces that of the same file name, as the next version of
// a territory that is published already. Where the newest version has it, PublishVoice returns that
// one and fresh is false.
func PublishVoice(ctx context.Context, to blob.Store, p Publication, id, path, name string) (m *Manifest, fresh bool, err error) {
	size, sum, err := region.Sum(ctx, path)
	if err != nil {
		return nil, false, err
	}
	l := Layer{KindVoice, name, sum, size}
	if err := l.check(); err != nil {
		return nil, false, err
	}
	x, err := p.index(ctx, to)
	if err != nil {
		return nil, false, err
	}
	before := x.Entry(id)
	if before == nil {
		return nil, false, fmt.Errorf("no territory %s is published here: publish its region first (waygate territory build)", clip(id))
	}
	m, err = p.published(ctx, to, before)
	if err != nil {
		return nil, false, err
	}
	if _, has := m.Layer(sum, name); has {
		return m, false, nil
	}
	m.Layers = append(slices.DeleteFunc(m.Layers, func(o Layer) bool { return o.File == name }), l)
	m.Format, m.Builder, m.Version = Format, p.Builder, before.Version+1
	if len(m.Layers) > maxLayers {
		return nil, false, fmt.Errorf("the territory %s would have %d layers, the limit is %d", id, len(m.Layers), maxLayers)
	}
	if err := (file{path: path}).put(ctx, to, l); err != nil {
		return nil, false, err
	}
	return m, true, p.announce(ctx, to, x, m)
}

// alike reports whether two versions have the same contents. Their times of building may
// differ.
func (m *Manifest) alike(other *Manifest) bool {
	content := func(m *Manifest) []Layer {
		return slices.DeleteFunc(slices.Clone(m.Layers), func(l Layer) bool { return l.Kind == KindRegion })
	}
	return slices.Equal(content(m), content(other)) && m.Name == other.Name && slices.Equal(m.Attribution, other.Attribution)
}

// index reads the index of a store, an empty one where there is none. The error is
// ErrSignature where another key signed it.
func (p *Publication) index(ctx context.Context, from blob.Store) (*Index, error) {
	data, err := blob.All(ctx, from, IndexName, MaxDocument)
	if errors.Is(err, blob.ErrNotFound) {
		return &Index{Format: plain}, nil
	}
	if err != nil {
		return nil, err
	}
	err = p.own(ctx, from, IndexName, data)
	if errors.Is(err, ErrSignature) || errors.Is(err, blob.ErrNotFound) {
		err = p.mend(ctx, from, data)
	}
	if err != nil {
		return nil, fmt.Errorf("the index of territories: %w", err)
	}
	return ReadIndex(data)
}

// mend writes the signature of an index where an earlier publication ended between the
// index and its signature.
func (p *Publication) mend(ctx context.Context, in blob.Store, index []byte) error {
	signature, err := blob.All(ctx, in, nextName, MaxDocument)
	if errors.Is(err, blob.ErrNotFound) {
		return ErrSignature
	}
	if err == nil {
		err = Verify(p.Key.Public().(ed25519.PublicKey), index, signature)
	}
	if err != nil {
		return err
	}
	return put(ctx, in, SignatureName(IndexName), signature)
}

// own returns ErrSignature where the key did not sign a document of the store.
func (p *Publication) own(ctx context.Context, from blob.Store, name string, data []byte) error {
	signature, err := blob.All(ctx, from, SignatureName(name), MaxDocument)
	if err != nil {
		return err
	}
	return Verify(p.Key.Public().(ed25519.PublicKey), data, signature)
}

// published reads the manifest of a published version.
func (p *Publication) published(ctx context.Context, from blob.Store, e *Entry) (*Manifest, error) {
	name := ManifestName(e.ID, e.Version)
	data, err := blob.All(ctx, from, name, MaxDocument)
	if err == nil {
		err = p.own(ctx, from, name, data)
	}
	if err != nil {
		return nil, fmt.Errorf("version %d of %s: %w", e.Version, e.ID, err)
	}
	return ReadManifest(data)
}

// file is a layer's content: on disk, or in memory.
type file struct {
	path string
	data []byte
}

// put writes a layer unless the store has it.
func (f file) put(ctx context.Context, to blob.Store, l Layer) (err error) {
	if info, err := to.Stat(ctx, LayerName(l.Addr)); err == nil && info.Size == l.Bytes {
		return nil
	}
	if f.path == "" {
		return put(ctx, to, LayerName(l.Addr), f.data)
	}
	r, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return to.Write(ctx, LayerName(l.Addr), r, l.Bytes)
}

// layers adds the layers of a version to m and returns their contents.
func (p *Publication) layers(of *region.Manifest, m *Manifest) (files []file, err error) {
	add := func(kind, name string, f file, sum string, size int64) {
		m.Layers = append(m.Layers, Layer{kind, name, sum, size})
		files = append(files, f)
	}
	for _, s := range of.Sections {
		add(kindOf(s.Name), s.File, file{path: filepath.Join(p.Region, s.File)}, s.SHA256, s.Size)
	}
	about, err := os.ReadFile(filepath.Join(p.Region, region.ManifestName))
	if err != nil {
		return nil, err
	}
	add(KindRegion, region.ManifestName, file{data: about}, Sum(about), int64(len(about)))
	if p.Fonts != nil {
		letters, err := pack(p.Fonts)
		if err != nil {
			return nil, err
		}
		add(KindGlyphs, GlyphsFile, file{data: letters}, Sum(letters), int64(len(letters)))
	}
	return files, nil
}

// GlyphsFile is the file name of the layer of glyphs.
const GlyphsFile = "glyphs.zip"

// kindOf returns the kind of layer of a region's section.
func kindOf(section string) string {
	switch section {
	case tileset.SectionName:
		return KindTiles
	case place.SectionName, landmark.SectionName, boundary.SectionName:
		return KindPlaces
	}
	return KindGraph
}

// Sum returns the SHA-256 of a document in hexadecimal.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// pack packs the glyphs of all fonts into a zip, by fontstack/range.pbf. Ranges without a
// glyph are left out. Equal fonts give equal bytes.
func pack(fonts *glyph.Fonts) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range fonts.Names() {
		for start := 0; start <= glyph.LastRange; start += glyph.RangeSize {
			if !fonts.Covers(name, start) {
				continue
			}
			data, _ := fonts.Range(name, start)
			w, err := z.Create(fmt.Sprintf("%s/%d-%d.pbf", strings.ReplaceAll(name, "/", "_"), start, start+glyph.RangeSize-1))
			if err != nil {
				return nil, err
			}
			if _, err := w.Write(data); err != nil {
				return nil, err
			}
		}
	}
	err := z.Close()
	return out.Bytes(), err
}

// announce writes a version's manifest, then the index that lists it.
func (p *Publication) announce(ctx context.Context, to blob.Store, x *Index, m *Manifest) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := p.write(ctx, to, ManifestName(m.ID, m.Version), data); err != nil {
		return err
	}
	e := Entry{
		ID: m.ID, Name: m.Name, Version: m.Version, Built: m.Built, DataUpdated: m.DataUpdated, BBox: m.BBox, Polygon: m.Polygon, Bytes: m.Bytes(),
		Manifest: fmt.Sprintf("/territories/%s/%d/manifest", m.ID, m.Version), ManifestSHA256: Sum(data),
	}
	if before := x.Entry(m.ID); before != nil {
		*before = e
	} else {
		x.Territories = append(x.Territories, e)
	}
	slices.SortFunc(x.Territories, func(a, b Entry) int { return strings.Compare(a.ID, b.ID) })
	x.Updated = time.Now().UTC().Truncate(time.Second)
	if data, err = json.MarshalIndent(x, "", "  "); err != nil {
		return err
	}
	public, err := encodePublic(p.Key.Public().(ed25519.PublicKey))
	if err != nil {
		return err
	}
	if err := put(ctx, to, keyName, public); err != nil {
		return err
	}
	if err := put(ctx, to, nextName, Sign(p.Key, data)); err != nil {
		return err
	}
	return p.write(ctx, to, IndexName, data)
}

// write writes a document into a store, and then its signature.
func (p *Publication) write(ctx context.Context, to blob.Store, name string, data []byte) error {
	if err := put(ctx, to, name, data); err != nil {
		return err
	}
	return put(ctx, to, SignatureName(name), Sign(p.Key, data))
}

func put(ctx context.Context, to blob.Store, name string, data []byte) error {
	return to.Write(ctx, name, bytes.NewReader(data), int64(len(data)))
}

// PublicKey reads the public key that a store's documents are signed with.
func PublicKey(ctx context.Context, from blob.Reader) (ed25519.PublicKey, error) {
	data, err := blob.All(ctx, from, keyName, MaxDocument)
	if err != nil {
		return nil, err
	}
	return ParsePublic(data)
}

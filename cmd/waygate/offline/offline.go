// Package offline has the commands that publish and download territories, for use without
// a network.
package offline

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/cmd/waygate/regions"
	"github.com/waygate/waygate/cmd/waygate/version"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/importer/clip"
	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/territory"
	"github.com/waygate/waygate/world"
)

// Command is waygate territory.
type Command struct {
	Build build `cmd:"" help:"Publish a region, or an area of extracts, as the next version of a territory."`
	Pull  pull  `cmd:"" help:"Download a territory from a server, or only what has changed, and verify it."`
	List  list  `cmd:"" help:"List the territories of a server."`
}

// storeName is the folder of territories in the data folder.
const storeName = "territories"

// Store returns the place where offline territories are published: the one
// that is set, or else in the data folder.
func Store(place, data string) (string, error) {
	if place != "" {
		return place, nil
	}
	data, err := files.DataFolder(data)
	return filepath.Join(data, storeName), err
}

// Publisher has a store of territories and the key that signs in it.
type Publisher struct {
	Store   string `env:"SVC_TERRITORIES" help:"Folder or s3://bucket/prefix to publish into; by default territories in the data folder." placeholder:"DIR"`
	Data    string `env:"SVC_DATA_DIR" help:"Folder for the signing key and for temporary files; by default waygate in the user's data folder." type:"path" placeholder:"DIR"`
	KeyFile string `env:"SVC_TERRITORY_KEY_FILE" help:"File of the Ed25519 signing key (PEM, mode 0600), created if missing; by default territory.key in the data folder." type:"path" placeholder:"FILE"`
	Key     string `name:"signing-key" env:"SVC_TERRITORY_KEY" help:"The signing key itself, as PEM, instead of a file." placeholder:"PEM"`
}

// Open returns the store, where it is, and the key.
func (c *Publisher) Open() (store blob.Store, place string, key ed25519.PrivateKey, err error) {
	data, err := files.DataFolder(c.Data)
	if err != nil {
		return nil, "", nil, err
	}
	if place, err = Store(c.Store, data); err != nil {
		return nil, "", nil, err
	}
	if key, err = c.signer(data); err != nil {
		return nil, "", nil, err
	}
	store, err = blob.Open(place)
	return store, place, key, err
}

// Report prints what was published.
func (*Publisher) Report(m *territory.Manifest, fresh bool, place string, key ed25519.PrivateKey) error {
	state := "published"
	if !fresh {
		state = "unchanged"
	}
	_, err := fmt.Printf("territory %s version %d %s in %s: %d layers, %.1f MB\nsigned with %s\n",
		m.ID, m.Version, state, place, len(m.Layers), float64(m.Bytes())/1e6, territory.PublicText(key.Public().(ed25519.PublicKey)))
	return err
}

type build struct {
	Publisher `embed:"" group:"Publication"`

	Fonts files.Folders `group:"Data of the map" name:"fonts-dir" sep:"none" env:"SVC_FONTS_DIR" help:"Folders of more fonts to include in the territory." placeholder:"DIR"`

	Polygon   string   `group:"Territory" help:"GeoJSON of the area to cut out of the extracts: a Polygon or a MultiPolygon." type:"existingfile" placeholder:"FILE"`
	ID        string   `group:"Territory" name:"id" help:"Identifier: lower-case letters, digits, hyphens. By default from the polygon's or the extract's name." placeholder:"ID"`
	Name      string   `group:"Territory" help:"Display name. By default made from the identifier." placeholder:"NAME"`
	Country   string   `group:"Data of the map" help:"Country code (ISO 3166-1 alpha-2) of roads outside every country." placeholder:"GB"`
	Elevation []string `group:"Data of the map" sep:"none" help:"Heights, as for waygate import." placeholder:"DIR_OR_FILE"`
	Terrain   string   `group:"Data of the map" name:"elevation-source" help:"Source of the heights; by default SRTM." placeholder:"NAME"`
	Places    []string `group:"Data of the map" sep:"none" type:"existingfile" help:"More places or postcodes, as for waygate import." placeholder:"FILE.csv"`
	Sources   []string `arg:"" name:"source" help:"Folder of a region to publish as it is, or extracts: .osm.pbf, .osm, .osm.gz or .osm.bz2 files."`
}

// Run builds and publishes.
func (c *build) Run(ctx context.Context) error {
	store, place, key, err := c.Open()
	if err != nil {
		return err
	}
	fonts, err := glyph.New(c.Fonts...)
	if err != nil {
		return err
	}
	p := territory.Publication{Region: c.Sources[0], Fonts: fonts, Key: key, Builder: version.Number}
	if _, err := os.Stat(filepath.Join(c.Sources[0], region.ManifestName)); err != nil {
		if p.Region, p.Polygon, err = c.region(ctx); err != nil {
			return err
		}
	} else if c.Polygon != "" || len(c.Sources) > 1 {
		return fmt.Errorf("%s is a region, which can only be published whole and alone; to cut out an area, give the extracts instead", c.Sources[0])
	}
	m, fresh, err := territory.Publish(ctx, store, p)
	if err != nil {
		return err
	}
	return c.Report(m, fresh, place, key)
}

// signer returns the signing key.
func (c *Publisher) signer(data string) (ed25519.PrivateKey, error) {
	if c.Key != "" {
		key, err := territory.ParseKey([]byte(c.Key))
		if err != nil {
			return nil, fmt.Errorf("SVC_TERRITORY_KEY: %w", err)
		}
		return key, nil
	}
	return territory.LoadKey(cmp.Or(c.KeyFile, filepath.Join(data, "territory.key")))
}

// region imports the extracts, or the area of them, into a folder that is kept, so that
// an unchanged one is not built again.
func (c *build) region(ctx context.Context) (dir string, polygon json.RawMessage, err error) {
	data, err := files.DataFolder(c.Data)
	if err != nil {
		return "", nil, err
	}
	o := importer.Options{Sources: c.Sources, ID: c.ID, Name: c.Name, Country: c.Country, Heights: c.Elevation, Terrain: c.Terrain, Places: c.Places}
	if o.ID == "" {
		o.ID = importer.IDFrom(cmp.Or(c.Polygon, c.Sources[0]))
	}
	if !territory.ValidID(o.ID) {
		return "", nil, fmt.Errorf("territory id %q is invalid; use 1 to 60 lower-case letters, digits and hyphens", o.ID)
	}
	o.Dir = filepath.Join(data, "territory-regions", o.ID)
	if c.Polygon != "" {
		text, err := os.ReadFile(c.Polygon)
		if err != nil {
			return "", nil, err
		}
		area, err := clip.ReadArea(text)
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", c.Polygon, err)
		}
		polygon = area.GeoJSON()
		if err := os.MkdirAll(o.Dir, 0o755); err != nil {
			return "", nil, err
		}
		o.Sources = nil
		for i, extract := range c.Sources {
			path := filepath.Join(o.Dir, fmt.Sprintf("cut-%d.osm.pbf", i))
			if err := clip.Cut(ctx, extract, area, path); err != nil {
				return "", nil, err
			}
			o.Sources = append(o.Sources, path)
		}
	}
	return o.Dir, polygon, regions.Build(ctx, os.Stderr, o)
}

// remote is a server to download territories from.
type remote struct {
	Server string `arg:"" help:"Address of the gateway."`
	APIKey string `name:"api-key" env:"WAYGATE_API_KEY" help:"API key of a verified account; needed to download layers." placeholder:"KEY"`
	Key    string `help:"Public key of the server's signatures, base64 or a PEM file; by default the key seen at the first download." placeholder:"KEY"`
}

// open finds the public key to trust: the one named, the one that a folder was pulled
// with, or the one that the server sends.
func (c *remote) open(ctx context.Context, known string) (*territory.Server, error) {
	s := &territory.Server{URL: strings.TrimSuffix(c.Server, "/"), Key: c.APIKey}
	if u, err := url.Parse(s.URL); err != nil || u.Host == "" || !slices.Contains(files.WebSchemes, u.Scheme) {
		return nil, fmt.Errorf("%s: use an address that begins with http:// or https://, such as https://maps.example.org", c.Server)
	}
	if c.Key != "" {
		text := []byte(c.Key)
		if file, err := os.ReadFile(c.Key); err == nil {
			text = file
		}
		var err error
		s.Public, err = territory.ParsePublic(text)
		return s, err
	}
	announced, err := s.SigningKey(ctx)
	if err != nil {
		return nil, err
	}
	var before ed25519.PublicKey
	if text, err := os.ReadFile(known); err == nil {
		if before, err = territory.ParsePublic(text); err != nil {
			return nil, fmt.Errorf("%s: %w", known, err)
		}
	}
	s.Public, err = territory.Trusted(before, announced)
	return s, err
}

type pull struct {
	remote  `embed:""`
	ID      string `arg:"" help:"Territory id, as listed by GET /territories."`
	Out     string `required:"" help:"Folder to write the region to, for waygate serve --region." type:"path" placeholder:"DIR"`
	Version int64  `name:"territory-version" help:"Version of the territory; by default the newest." placeholder:"N"`
}

// pinnedKey is the file of a pulled folder that stores the key it was pulled with.
const pinnedKey = "territory.pub"

// Run fetches.
func (c *pull) Run(ctx context.Context) error {
	pinned := filepath.Join(c.Out, pinnedKey)
	server, err := c.open(ctx, pinned)
	if err != nil {
		return err
	}
	bar := regions.NewProgress(os.Stderr)
	defer bar.Finish()
	pull := territory.Pull{Server: server, ID: c.ID, Version: c.Version, Dir: c.Out, Report: func(_ string, done, size int64) {
		bar.Report(importer.Progress{Stage: "download", Done: done, Size: size})
	}}
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return err
	}
	m, err := pull.Run(ctx)
	bar.Finish()
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("interrupted; run the same command again to continue")
	}
	if err != nil {
		return err
	}
	if err := os.WriteFile(pinned, []byte(territory.PublicText(server.Public)+"\n"), 0o644); err != nil {
		return err
	}
	_, err = fmt.Printf("territory %s version %d is in %s, %d layers, %.1f MB, signed with %s\n%s\n",
		m.ID, m.Version, c.Out, len(m.Layers), float64(m.Bytes())/1e6, territory.PublicText(server.Public), served(c.Out))
	return err
}

// served returns how a downloaded region is served, or why this build does not: its publisher may
// have built it with an older or a newer one.
func served(dir string) string {
	_, release, err := world.OpenFolder(dir, io.Discard)
	if err != nil {
		return fmt.Sprintf("this build does not serve it; its publisher has to build it with the same version: %v", err)
	}
	release()
	return "serve it with: waygate serve --region " + dir
}

type list struct {
	remote `embed:""`
}

// Run lists.
func (c *list) Run(ctx context.Context) error {
	server, err := c.open(ctx, "")
	if err != nil {
		return err
	}
	x, err := server.Index(ctx)
	if err != nil {
		return err
	}
	return listTerritories(os.Stdout, x)
}

func listTerritories(w io.Writer, x *territory.Index) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(out, "ID\tNAME\tVERSION\tDATA\tMB")
	for _, e := range x.Territories {
		updated := "unknown"
		if e.DataUpdated != nil {
			updated = *e.DataUpdated
		}
		_, _ = fmt.Fprintf(out, "%s\t%s\t%d\t%s\t%.1f\n", e.ID, e.Name, e.Version, updated, float64(e.Bytes)/1e6)
	}
	return out.Flush()
}

package importer

import (
	"context"
	"net/url"
	"path/filepath"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/region"
)

// openSources downloads what is remote and identifies every extract.
func (b *build) openSources(ctx context.Context) error {
	for _, source := range b.opt.Sources {
		path, err := b.fetch(ctx, source)
		if err != nil {
			return err
		}
		name := filepath.Base(source)
		if u, remote := remoteURL(source); remote {
			u.User, u.RawQuery = nil, ""
			name = u.String()
		}
		size, sum, err := region.Sum(ctx, path)
		if err != nil {
			return err
		}
		header, err := osm.ReadHeader(ctx, path)
		if err != nil {
			return err
		}
		s := region.Source{Name: name, Size: size, SHA256: sum}
		if !header.Timestamp.IsZero() {
			at := header.Timestamp.UTC()
			s.Timestamp = &at
		}
		b.sources = append(b.sources, s)
		b.paths = append(b.paths, path)
		b.headers = append(b.headers, header)
	}
	return nil
}

// remoteURL returns the address of a source, and reports whether it is one.
func remoteURL(source string) (*url.URL, bool) {
	u, err := url.Parse(source)
	return u, err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// fetch returns the path of a source, which it downloads where it is remote.
func (b *build) fetch(ctx context.Context, source string) (path string, err error) {
	if _, remote := remoteURL(source); !remote {
		return source, nil
	}
	path, err = osm.Fetch(ctx, source, b.work, func(done, size int64) {
		b.report(Progress{Stage: "download", Done: done, Size: size})
	})
	if err == nil {
		b.report(Progress{Stage: "download", Finished: true})
	}
	return path, err
}

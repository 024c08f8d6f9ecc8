// Package web embeds the built website: the map explorer and the pages about
// keys, accounts and their administration.
//
// The site is an npm project of its own; `npm run build` in this folder writes
// it to dist, which is not committed except for a README that keeps the embed
// pattern valid on a fresh checkout.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Files returns the built site, with its pages (index.html, keys.html, …) at
// its root, and whether it was built before this binary was compiled. Without
// a build the file system is nil.
//
// Everything under assets/ carries a hash of its content in its name and may
// be cached for ever; the pages must be revalidated.
func Files() (fs.FS, bool) {
	site, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, false
	}
	if _, err := fs.Stat(site, "index.html"); err != nil {
		return nil, false
	}
	return site, true
}

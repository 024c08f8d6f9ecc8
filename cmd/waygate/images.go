package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"strings"

	"github.com/waygate/waygate/feature/staticmap"
	"github.com/waygate/waygate/render"
)

// imageSettings are the settings of static maps.
type imageSettings struct {
	Chromium   string   `env:"SVC_CHROMIUM" help:"Name or path of the Chromium that draws static maps. Empty looks for one; none turns static maps off." placeholder:"FILE"`
	Browsers   int      `name:"static-map-browsers" env:"SVC_STATIC_MAP_BROWSERS" default:"2" help:"Static maps drawn concurrently, each by its own Chromium of about 300 MiB, started with the first map. Callers without a key may use half of them, at least one."`
	StyleHosts []string `name:"static-map-style-hosts" env:"SVC_STATIC_MAP_STYLE_HOSTS" help:"Hosts whose MapLibre styles may be drawn as static maps, separated by commas, with a port if it is not 443. Everything that the styles refer to must be on these hosts too." placeholder:"HOST,…"`
}

// noChromium is the value of SVC_CHROMIUM that turns static maps off.
const noChromium = "none"

// queued is how many callers may wait for each browser.
const queued = 8

// images opens the service that draws static maps; the function closes it.
func (s *imageSettings) images(site fs.FS, log *slog.Logger) (*staticmap.Service, func()) {
	without := func(why string) (*staticmap.Service, func()) {
		log.Info("no static maps are drawn", "why", why)
		return &staticmap.Service{Why: why}, func() {}
	}
	if s.Chromium == noChromium {
		return without("this deployment draws no static maps: its operator has SVC_CHROMIUM at none")
	}
	if site == nil {
		return without("this deployment draws no static maps: its binary was built without the website, whose page draws them (make web)")
	}
	page, err := fs.ReadFile(site, staticmap.Page)
	if err != nil {
		return without("this deployment draws no static maps: the website in its binary is older than the page that draws them (make web)")
	}
	path, err := render.Find(s.Chromium)
	switch {
	case errors.Is(err, render.ErrNone) && s.Chromium == "":
		return without("this deployment draws no static maps, for no Chromium is installed: its operator can install one (Debian: apt-get install chromium), or name its path in SVC_CHROMIUM, and restart")
	case err != nil:
		log.Warn("SVC_CHROMIUM names a program that does not exist", "program", s.Chromium, "error", err)
		return without("this deployment draws no static maps: SVC_CHROMIUM names a program that does not exist; its operator can install it (Debian: apt-get install chromium), or leave SVC_CHROMIUM empty to find one")
	}
	pool := render.New(render.Options{Chromium: path, Site: site, Page: staticmap.Page, Size: s.Browsers, Waiting: queued * s.Browsers, Log: log})
	sum := sha256.Sum256(page) // it names its scripts by what is in them
	hosts := make([]string, len(s.StyleHosts))
	for i, host := range s.StyleHosts {
		hosts[i] = strings.ToLower(host)
	}
	return &staticmap.Service{Pool: pool, Version: hex.EncodeToString(sum[:]), Public: make(chan struct{}, max(1, s.Browsers/2)), Foreign: staticmap.NewForeign(hosts, nil)}, pool.Close
}

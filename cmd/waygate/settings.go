package main

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"reflect"
	"time"

	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/world"
)

// settings are the settings of a server: as flags of waygate serve or as
// environment variables. This struct, with those embedded in it, is their only list.
type settings struct {
	Listen         string   `group:"Server" env:"SVC_LISTEN" default:"127.0.0.1:8080" help:"Address and port to listen on."`
	Metrics        string   `group:"Server" name:"metrics-listen" env:"SVC_METRICS_LISTEN" help:"Address and port for GET /metrics, open to every caller. Empty serves it on SVC_LISTEN, for this machine and with the admin token only." placeholder:"HOST:PORT"`
	BaseURL        string   `group:"Server" env:"SVC_BASE_URL" help:"Public address of this server, without a slash at the end." placeholder:"URL"`
	WebsiteURL     string   `group:"Server" env:"SVC_WEBSITE_URL" help:"Address of the companion website; by default the base URL." placeholder:"URL"`
	TrustedProxies networks `group:"Server" sep:"none" env:"SVC_TRUSTED_PROXIES" help:"Addresses or networks of trusted proxies, whose X-Forwarded-For is used, such as 10.0.0.0/8,::1." placeholder:"NETWORK,…"`
	LogFormat      string   `group:"Server" env:"SVC_LOG_FORMAT" default:"text" enum:"text,json" help:"Format of the log (${enum})."`
	LogLevel       string   `group:"Server" env:"SVC_LOG_LEVEL" default:"info" enum:"debug,info,warn,error" help:"Lowest level to log (${enum})."`

	RoutingEngine string        `group:"Routing engine" env:"SVC_ROUTING_ENGINE" default:"auto" enum:"auto,embedded,valhalla,osrm" help:"Routing engine: auto uses Valhalla if SVC_VALHALLA_URL is set, else OSRM if SVC_OSRM_URL is set, and the embedded engine otherwise (${enum})."`
	ValhallaURL   []string      `group:"Routing engine" name:"valhalla-url" env:"SVC_VALHALLA_URL" help:"Addresses of Valhalla servers with the same tiles." secret:"tiles" placeholder:"URL"`
	OSRMURL       []string      `group:"Routing engine" name:"osrm-url" env:"SVC_OSRM_URL" help:"Addresses of OSRM servers, each with the costing whose profile it has, as in auto=http://car:5000,bicycle=http://bike:5000; without a costing it is auto. A costing may have several, which answer alike." secret:"tiles" placeholder:"[COSTING=]URL"`
	RoutingRules  []string      `group:"Routing engine" env:"SVC_ROUTING_RULES" help:"Which engines answer, in place of SVC_ROUTING_ENGINE: the first rule whose costing and region fit, * being any costing, as in auto@alps=embedded, *=valhalla+embedded. A later engine of a rule answers where an earlier one is not available." placeholder:"COSTING[@REGION]=ENGINE[+ENGINE]"`
	RegionCanary  string        `group:"Routing engine" env:"SVC_REGION_CANARY" help:"File of routes, one a line as JSON with costing and locations. A new version of a region, or of one of several remote servers, is only used if it answers them about as the version in service does; none skips this test. By default the routes are drawn from the region, or are the latest requests." placeholder:"FILE|none"`
	UpstreamHedge time.Duration `group:"Routing engine" env:"SVC_UPSTREAM_HEDGE" default:"500ms" help:"How long a call waits for one of several servers of an engine before it is sent to another one too, for one call in ten at the most; 0 never sends it."`
	UpstreamProbe time.Duration `group:"Routing engine" env:"SVC_UPSTREAM_PROBE" default:"1s" help:"How often to probe each server of an engine."`

	Elevation        files.Folders `group:"Data beside the regions" sep:"none" env:"SVC_ELEVATION_DIR" help:"Heights of the ground for elevations and views: folders of SRTM tiles (.hgt, .hgt.gz, .hgt.zip), GeoTIFF files or terrain tiles (.pmtiles), separated like PATH." placeholder:"DIR"`
	ElevationDataset string        `group:"Data beside the regions" env:"SVC_ELEVATION_DATASET" default:"SRTM" help:"Name of these heights in answers."`
	GeocodeDir       string        `group:"Data beside the regions" env:"SVC_GEOCODE_DIR" type:"path" help:"Folder of a region whose index of places serves all of /geocode; by default each served region's own index." placeholder:"DIR"`
	GeocoderProxyURL string        `group:"Data beside the regions" name:"geocoder-proxy-url" env:"SVC_GEOCODER_PROXY_URL" help:"Address of a Photon server that geocodes if there is no index of places." secret:"url" placeholder:"URL"`
	GeocodeForward   string        `group:"Data beside the regions" env:"SVC_GEOCODE_FORWARD" default:"auto" enum:"auto,index,proxy" help:"How to find places by text: auto uses an index of places if there is one, and the proxy otherwise; proxy uses the proxy, and an index for reverse geocoding only (${enum})."`
	Boundaries       string        `group:"Data beside the regions" name:"admin-boundaries" env:"SVC_ADMIN_BOUNDARIES_DB" help:"Folder of an imported region whose boundaries GET /boundary serves; by default those of each served region." placeholder:"DIR"`
	Zones            files.Folders `group:"Data beside the regions" sep:"none" env:"SVC_ZONES" help:"Files of clean-air zones, made by waygate zones compile, separated like PATH. Zones from the map are always included." placeholder:"FILE"`

	DemoRPM       int   `group:"Limits" env:"SVC_DEMO_RPM" default:"600" help:"Calls a minute without a key for one client address, map tiles included; 0 refuses calls without a key."`
	MaxBody       int64 `group:"Limits" env:"SVC_MAX_BODY" default:"1048576" help:"Largest request body in bytes."`
	MaxPlacesBody int64 `group:"Limits" name:"places-max-body" env:"SVC_PLACES_MAX_BODY" default:"41943040" help:"Largest body of PUT /places in bytes, for callers with a key; SVC_MAX_BODY applies if it is larger."`
	MatrixCells   int   `group:"Limits" env:"SVC_MATRIX_CELLS" default:"250000" help:"Most cells of one matrix, sources times targets."`
	MetricMemory  *int  `group:"Limits" env:"SVC_METRIC_MEMORY" help:"Most memory in MiB for what the embedded engine prepares for frequent options, live traffic, matrices and isochrones; 0 keeps nothing. By default 256, or the size of two hierarchies of each region if that is more." placeholder:"MIB"`
	RequestMemory int   `group:"Limits" env:"SVC_REQUEST_MEMORY" default:"512" help:"Most memory in MiB for all running requests together, by estimate, including answers being sent. A request that needs more runs alone."`

	RequestTimeout time.Duration `group:"Times" env:"SVC_REQUEST_TIMEOUT" default:"30s" help:"Longest time for a request; after that the answer is 504."`
	ReadTimeout    time.Duration `group:"Times" env:"SVC_READ_TIMEOUT" default:"15s" help:"Time to read a whole request."`
	WriteTimeout   time.Duration `group:"Times" env:"SVC_WRITE_TIMEOUT" default:"60s" help:"Time to send an answer; must be above the request timeout."`
	IdleTimeout    time.Duration `group:"Times" env:"SVC_IDLE_TIMEOUT" default:"120s" help:"Time an idle connection stays open."`
	DrainDelay     time.Duration `group:"Times" env:"SVC_DRAIN_DELAY" default:"0s" help:"Time during which the stopping server still takes requests while GET /ready answers 503, for load balancers to notice."`
	DrainTimeout   time.Duration `group:"Times" env:"SVC_DRAIN_TIMEOUT" default:"20s" help:"Time for running requests to finish when the server stops."`
	RegionPoll     time.Duration `group:"Times" env:"SVC_REGION_POLL" default:"5s" help:"How often to look for a new version of a region, and for changed files; 0 looks on SIGHUP only."`
	VerifyEvery    time.Duration `group:"Times" env:"SVC_VERIFY_EVERY" default:"1h" help:"How often to check the files of served regions against their checksums in the background; 0 checks only after the start and when a request suggests damage."`

	feedSettings    `embed:"" group:"Live feeds"`
	mapSettings     `embed:"" group:"Maps"`
	imageSettings   `embed:"" group:"Static maps"`
	voiceSettings   `embed:"" group:"Voice"`
	planSettings    `embed:"" group:"Plans and jobs"`
	accountSettings `embed:"" group:"Accounts"`
}

// maxMetricMemory is in MiB: a tebibyte. maxRequestMemory is, too.
const (
	maxMetricMemory  = 1 << 20
	maxRequestMemory = 1 << 20
)

// metricMemory is SVC_METRIC_MEMORY in bytes.
func (s *settings) metricMemory() int64 {
	if s.MetricMemory == nil {
		return world.EnoughMemory
	}
	return int64(*s.MetricMemory) << 20
}

// Validate refuses settings that contradict each other; kong calls it.
func (s *settings) Validate() error {
	switch {
	case s.Metrics != "" && s.Metrics == s.Listen:
		return fmt.Errorf("SVC_METRICS_LISTEN must differ from SVC_LISTEN; leave it empty to serve the metrics on SVC_LISTEN")
	case s.DemoRPM < 0:
		return fmt.Errorf("SVC_DEMO_RPM is %d; it must be 0 (no calls without a key) or more calls a minute", s.DemoRPM)
	case s.MaxBody < 1:
		return fmt.Errorf("SVC_MAX_BODY is %d bytes; it must be at least 1", s.MaxBody)
	case s.MaxPlacesBody < 0:
		return fmt.Errorf("SVC_PLACES_MAX_BODY is %d bytes; it must be at least 0, which stands for 10,000 places of 4 KiB", s.MaxPlacesBody)
	case s.MatrixCells < 1:
		return fmt.Errorf("SVC_MATRIX_CELLS is %d; it must be at least 1", s.MatrixCells)
	case s.MetricMemory != nil && (*s.MetricMemory < 0 || *s.MetricMemory > maxMetricMemory):
		return fmt.Errorf("SVC_METRIC_MEMORY is %d MiB; it must be 0 (keep nothing) to %d", *s.MetricMemory, maxMetricMemory)
	case s.RequestMemory < 1 || s.RequestMemory > maxRequestMemory:
		return fmt.Errorf("SVC_REQUEST_MEMORY is %d MiB; it must be 1 to %d", s.RequestMemory, maxRequestMemory)
	case s.Browsers < 1 || s.Browsers > 64:
		return fmt.Errorf("SVC_STATIC_MAP_BROWSERS is %d; it must be 1 to 64", s.Browsers)
	case s.RequestTimeout <= 0:
		return fmt.Errorf("SVC_REQUEST_TIMEOUT is %s; it must be above 0", s.RequestTimeout)
	case s.DrainDelay < 0:
		return fmt.Errorf("SVC_DRAIN_DELAY is %s; it must be at least 0", s.DrainDelay)
	case s.WriteTimeout <= s.RequestTimeout:
		return fmt.Errorf("SVC_WRITE_TIMEOUT is %s; it must be above SVC_REQUEST_TIMEOUT (%s), or slow requests are cut off instead of getting a 504", s.WriteTimeout, s.RequestTimeout)
	case s.GeocodeForward == "proxy" && s.GeocoderProxyURL == "":
		return fmt.Errorf("SVC_GEOCODE_FORWARD is proxy but SVC_GEOCODER_PROXY_URL is empty")
	case s.UpstreamHedge < 0:
		return fmt.Errorf("SVC_UPSTREAM_HEDGE is %s; it must be 0 (never) or more", s.UpstreamHedge)
	case s.UpstreamProbe < 0 || s.UpstreamProbe > 0 && s.UpstreamProbe < 10*time.Millisecond:
		return fmt.Errorf("SVC_UPSTREAM_PROBE is %s; it must be at least 10ms", s.UpstreamProbe)
	case s.RoutingEngine == "valhalla" && len(s.ValhallaURL) == 0:
		return fmt.Errorf("SVC_ROUTING_ENGINE is valhalla but SVC_VALHALLA_URL is empty")
	case s.RoutingEngine == "osrm" && len(s.OSRMURL) == 0:
		return fmt.Errorf("SVC_ROUTING_ENGINE is osrm but SVC_OSRM_URL is empty")
	}
	if _, err := s.osrmServers(); err != nil {
		return err
	}
	if err := s.checkValhalla(); err != nil {
		return err
	}
	if _, err := s.rules(); err != nil {
		return err
	}
	for _, a := range s.addresses() {
		if err := a.check(); err != nil {
			return err
		}
	}
	if err := errors.Join(checkListen("SVC_LISTEN", s.Listen), checkListen("SVC_METRICS_LISTEN", s.Metrics)); err != nil {
		return err
	}
	for _, host := range s.StyleHosts {
		if err := checkHost("SVC_STATIC_MAP_STYLE_HOSTS", host); err != nil {
			return err
		}
	}
	if err := s.voiceSettings.validate(); err != nil {
		return err
	}
	if err := s.planSettings.validate(); err != nil {
		return err
	}
	return s.accountSettings.validate()
}

// engine returns the engine that auto stands for.
func (s *settings) engine() string {
	switch {
	case s.RoutingEngine != "auto":
		return s.RoutingEngine
	case len(s.ValhallaURL) > 0:
		return "valhalla"
	case len(s.OSRMURL) > 0:
		return "osrm"
	}
	return "embedded"
}

// settingGroup is a group of settings, as waygate serve --help has them, with their
// values in force: environment names and values in turn, secrets masked.
type settingGroup struct {
	name   string
	values []any
}

// effective lists every setting in its group.
func (s *settings) effective() []settingGroup {
	var groups []settingGroup
	all := reflect.TypeFor[settings]()
	for _, f := range reflect.VisibleFields(all) {
		if f.Anonymous {
			continue
		}
		value := reflect.ValueOf(s).Elem().FieldByIndex(f.Index).Interface()
		switch v := value.(type) {
		case time.Duration:
			value = v.String()
		case *int:
			if value = ""; v != nil {
				value = *v
			}
		}
		name := cmp.Or(f.Tag.Get("group"), all.Field(f.Index[0]).Tag.Get("group"))
		if len(groups) == 0 || groups[len(groups)-1].name != name {
			groups = append(groups, settingGroup{name: name})
		}
		g := &groups[len(groups)-1]
		g.values = append(g.values, f.Tag.Get("env"), masked(f.Tag.Get("secret"), value))
	}
	return groups
}

// tell logs the settings in force: each group as a line of text for people, all of
// them as one record of JSON for machines.
func (s *settings) tell(log *slog.Logger, before ...any) {
	if s.LogFormat == "json" {
		for _, g := range s.effective() {
			before = append(before, g.values...)
		}
		log.Info("settings", before...)
		return
	}
	log.Info("settings", append([]any{"group", "Regions"}, before...)...)
	for _, g := range s.effective() {
		log.Info("settings", append([]any{"group", g.name}, g.values...)...)
	}
}

// masked hides a secret: all of it, or the user information of an address.
func masked(secret string, value any) any {
	text := fmt.Sprint(value)
	switch {
	case secret == "" || text == "":
		return value
	case secret == "tiles":
		list, _ := value.([]string)
		shown := make([]string, len(list))
		for i, one := range list {
			shown[i] = maskedPlace(one)
		}
		return shown
	case secret == "url":
		if u, err := url.Parse(text); err == nil {
			if u.User != nil {
				u.User = url.User("***")
			}
			if u.RawQuery != "" {
				u.RawQuery = "***"
			}
			return u.String()
		}
	}
	return "***"
}

// inMilliseconds writes durations, which JSON would have as bare nanoseconds,
// with their unit in the name.
func inMilliseconds(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		return slog.Float64(a.Key+"_ms", float64(a.Value.Duration().Microseconds())/1000)
	}
	return a
}

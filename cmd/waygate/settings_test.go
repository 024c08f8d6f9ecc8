package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSettingsThatContradict(t *testing.T) {
	for says, change := range map[string]func(*settings){
		"SVC_DEMO_RPM":            func(s *settings) { s.DemoRPM = -1 },
		"SVC_MAX_BODY":            func(s *settings) { s.MaxBody = 0 },
		"SVC_MATRIX_CELLS":        func(s *settings) { s.MatrixCells = 0 },
		"SVC_METRIC_MEMORY":       func(s *settings) { s.MetricMemory = new(int); *s.MetricMemory = -1 },
		"SVC_REQUEST_MEMORY":      func(s *settings) { s.RequestMemory = 0 },
		"SVC_REQUEST_TIMEOUT":     func(s *settings) { s.RequestTimeout = 0 },
		"SVC_WRITE_TIMEOUT":       func(s *settings) { s.WriteTimeout = time.Second },
		"SVC_VALHALLA_URL":        func(s *settings) { s.RoutingEngine = "valhalla" },
		"SVC_OSRM_URL":            func(s *settings) { s.RoutingEngine = "osrm" },
		"SVC_KEYS_PER_IP_DAY":     func(s *settings) { s.KeysPerIPDay = 0 },
		"SVC_GEOCODE_FORWARD":     func(s *settings) { s.GeocodeForward = "proxy" },
		"SVC_VROOM_URL is empty":  func(s *settings) { s.Optimiser = "vroom" },
		"SVC_PLACES_MAX_BODY":     func(s *settings) { s.MaxPlacesBody = -1 },
		"SVC_STATIC_MAP_BROWSERS": func(s *settings) { s.Browsers = 0 },
		"SVC_VOICE_URL":           func(s *settings) { s.VoiceEngine = "server" },
		"SVC_VOICE_WORKERS":       func(s *settings) { s.VoiceWorkers = 0 },
		"SVC_VOICE_WAIT":          func(s *settings) { s.VoiceWait = 0 },
		"SVC_VOICE_VOICES":        func(s *settings) { s.VoiceVoices = []string{"alloy"} },
		"SVC_DRAIN_DELAY":         func(s *settings) { s.DrainDelay = -time.Second },
		"slash":                   func(s *settings) { s.BaseURL = "https://example.org/" },
	} {
		s := quick()
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %s", err, says)
		}
	}
}

func TestAutoEngine(t *testing.T) {
	s := settings{RoutingEngine: "auto"}
	if s.engine() != "embedded" {
		t.Errorf("%s", s.engine())
	}
	s.OSRMURL = []string{"http://o"}
	if s.engine() != "osrm" {
		t.Errorf("%s", s.engine())
	}
	s.ValhallaURL = []string{"http://v"}
	if s.engine() != "valhalla" {
		t.Errorf("%s", s.engine())
	}
	s.RoutingEngine = "embedded"
	if s.engine() != "embedded" {
		t.Errorf("%s", s.engine())
	}
}

func TestSecretsAreMasked(t *testing.T) {
	s := quick()
	s.ValhallaURL = []string{"https://me:hunter2@example.org/v?token=hunter3"}
	shown := fmt.Sprint(s.effective())
	if strings.Contains(shown, "hunter") || !strings.Contains(shown, "example.org/v") {
		t.Errorf("%s", shown)
	}
	for _, g := range s.effective() {
		for i := 0; i < len(g.values); i += 2 {
			if name := g.values[i].(string); !strings.HasPrefix(name, "SVC_") || g.name == "" {
				t.Errorf("%q in group %q is no environment variable, or in no group", name, g.name)
			}
		}
	}
}

// A number that need not be set is shown as such, and as nothing where it is not.
func TestNumberThatIsNotSet(t *testing.T) {
	s := quick()
	for want, is := range map[string]*int{"SVC_METRIC_MEMORY=\"\"": nil, "SVC_METRIC_MEMORY=300": new(300)} {
		s.MetricMemory = is
		s.LogFormat, s.LogLevel = "text", "info"
		var out strings.Builder
		s.tell(s.log(&out))
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, out.String())
		}
	}
}

// TestSettingsInGroups logs the settings a group a line for people, and as one record
// for machines; a name is in one group, and each group is there once.
func TestSettingsInGroups(t *testing.T) {
	s := quick()
	for format, lines := range map[string]int{"text": 1 + len(s.effective()), "json": 1} {
		s.LogFormat, s.LogLevel = format, "info"
		var out strings.Builder
		s.tell(s.log(&out), "SVC_REGION_DIR", "data/region")
		if n := strings.Count(out.String(), "\n"); n != lines {
			t.Errorf("%s: %d lines, want %d: %s", format, n, lines, out.String())
		}
		for _, name := range []string{"SVC_REGION_DIR", "SVC_LISTEN", "SVC_FEEDS", "SVC_X402_UNIT_PRICE"} {
			if strings.Count(out.String(), name) != 1 {
				t.Errorf("%s: %s is not there once: %s", format, name, out.String())
			}
		}
		if longest := slices.Max(lengths(out.String())); format == "text" && longest > 700 {
			t.Errorf("a line has %d characters", longest)
		}
	}
	seen := map[string]bool{}
	for _, g := range s.effective() {
		if seen[g.name] {
			t.Errorf("group %q is there twice", g.name)
		}
		seen[g.name] = true
	}
}

func lengths(text string) (all []int) {
	for line := range strings.Lines(text) {
		all = append(all, len(line))
	}
	return all
}

// In JSON a duration has its unit in its name, and settings keep their names.
func TestDurationsInLogs(t *testing.T) {
	s := quick()
	s.LogFormat, s.LogLevel = "json", "info"
	var out strings.Builder
	log := s.log(&out)
	s.tell(log)
	log.Info("request", "took", 1500*time.Microsecond)
	for _, want := range []string{`"took_ms":1.5`, `"SVC_REQUEST_TIMEOUT":"5m0s"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, out.String())
		}
	}
}

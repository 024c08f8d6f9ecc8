package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestAddressesAreChecked sets each setting whose value is an address to values that
// are none: the reason names the setting and the right form, and shows no password.
func TestAddressesAreChecked(t *testing.T) {
	for _, c := range []struct{ setting, value, want string }{
		{"SVC_SMTP_URL", "mail.example.org:587", `is "mail.example.org:587" and must begin with smtp:// or smtps://, as in smtp://user:password@mail.example.org:587`},
		{"SVC_SMTP_URL", "me:hunter2@mail.example.org:587", "SVC_SMTP_URL must begin with smtp:// or smtps://"},
		{"SVC_SMTP_URL", "smtp:mail.example.org", "smtp://"},
		{"SVC_SMTP_URL", "https://mail.example.org", "smtps://"},
		{"SVC_SMTP_URL", "smtp://", "name a host after smtp://"},
		{"SVC_SMTP_URL", "smtp://me:hunter2%@mail.example.org", "percent-encoded"},
		{"SVC_REDIS_URL", "cache:6379", "redis://, rediss:// or unix://"},
		{"SVC_REDIS_URL", "redis:cache", "redis://"},
		{"SVC_DATABASE_URL", "db.example.org/waygate", "sqlite:, postgres:// or postgresql://"},
		{"SVC_DATABASE_URL", "accounts.db", "sqlite:"},
		{"SVC_BASE_URL", "maps.example.org", "http:// or https://"},
		{"SVC_BASE_URL", "https://maps.example.org/", "slash"},
		{"SVC_WEBSITE_URL", "www.example.org", "https://"},
		{"SVC_VALHALLA_URL", "valhalla:8002", "http://"},
		{"SVC_OSRM_URL", "localhost:5000", "http://"},
		{"SVC_OSRM_URL", "lorry=http://osrm:5000", "motor_scooter"},
		{"SVC_OSRM_URL", "http://osrm:5000,auto=http://osrm:5000", "twice"},
		{"SVC_VALHALLA_URL", "http://a:8002,http://b:8002,http://a:8002", "number 3"},
		{"SVC_VALHALLA_URL", "http://a:8002,,http://b:8002", "empty"},
		{"SVC_ROUTING_RULES", "auto", "COSTING[@REGION]=ENGINE"},
		{"SVC_ROUTING_RULES", "auto@=embedded", "COSTING[@REGION]=ENGINE"},
		{"SVC_ROUTING_RULES", "lorry=embedded", "motor_scooter"},
		{"SVC_ROUTING_RULES", "*=valhalla+embedded", "SVC_VALHALLA_URL"},
		{"SVC_ROUTING_RULES", "*=graphhopper", "embedded, valhalla or osrm"},
		{"SVC_ROUTING_RULES", "*=embedded+embedded", "twice"},
		{"SVC_OSRM_URL", "bicycle=", "bicycle"},
		{"SVC_GEOCODER_PROXY_URL", "photon:2322", "http://"},
		{"SVC_VROOM_URL", "vroom", "http://"},
		{"SVC_STRIPE_API", "ftp://127.0.0.1", "http://"},
		{"SVC_X402_FACILITATOR", "pay.example.org", "https://"},
		{"SVC_LISTEN", "8080", ":8080"},
		{"SVC_METRICS_LISTEN", "10.0.0.5", ":8080"},
		{"SVC_STATIC_MAP_STYLE_HOSTS", "https://styles.example.org", "without scheme"},
	} {
		s := quick()
		s.X402Asset, s.X402PayTo = "asset", "payee"
		value := setting(&s, c.setting)
		if value.Kind() == reflect.Slice {
			value.Set(reflect.ValueOf(strings.Split(c.value, ",")))
		} else {
			value.SetString(c.value)
		}
		err := s.Validate()
		if err == nil || !strings.Contains(err.Error(), c.setting) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: %v, want %s", c.setting, c.value, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter") {
			t.Errorf("%s=%s: the password is shown: %v", c.setting, c.value, err)
		}
	}
	s := quick()
	s.X402Asset, s.X402PayTo = "asset", "payee"
	checked := []string{"SVC_OSRM_URL", "SVC_VALHALLA_URL"} // which have several
	for _, a := range s.addresses() {
		setting(&s, a.setting).SetString(a.example)
		checked = append(checked, a.setting)
	}
	s.RedisURL, s.DatabaseURL, s.StyleHosts = "unix:///run/redis.sock", "sqlite:accounts.db", []string{"styles.example.org:8443"}
	if err := s.Validate(); err != nil {
		t.Errorf("the examples themselves: %v", err)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[settings]()) {
		if name := f.Tag.Get("env"); strings.HasSuffix(name, "_URL") && !slices.Contains(checked, name) {
			t.Errorf("%s is an address that nobody checks", name)
		}
	}
}

// setting returns the value of the setting with an environment name.
func setting(s *settings, name string) reflect.Value {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[settings]()) {
		if f.Tag.Get("env") == name {
			return reflect.ValueOf(s).Elem().FieldByIndex(f.Index)
		}
	}
	return reflect.Value{}
}

// TestPlacesThatAreNone hints at the form of an address where a file is not there that
// looks like a server, and leaves names of files alone.
func TestPlacesThatAreNone(t *testing.T) {
	t.Chdir(t.TempDir())
	for place, hint := range map[string]string{
		"prices.example.org/a.json": "if prices.example.org is a server, put http:// or https:// before it",
		"ftp://example.org/a.csv":   "not ftp://",
		"a.json":                    "",
		"folder/a.json":             "",
		"../folder/a.json":          "",
	} {
		s := quick()
		s.FuelPrices = []string{place}
		_, _, err := s.listed()
		if err == nil || !strings.Contains(err.Error(), "SVC_FUEL_PRICES: ") || !strings.Contains(err.Error(), hint) || (hint == "") == strings.Contains(err.Error(), "http://") {
			t.Errorf("%s: %v, want %q", place, err, hint)
		}
	}
	if err := run([]string{"import", "--out", "region", "download.example.org/andorra.osm.pbf"}); err == nil || !strings.Contains(err.Error(), "put http://") {
		t.Errorf("an extract: %v", err)
	}
	for _, place := range []string{"s3:bucket", "ftp://example.org/x"} {
		s := quick()
		s.Territories = place
		if _, err := s.offline(t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), "SVC_TERRITORIES: ") || !strings.Contains(err.Error(), "s3://bucket/prefix") {
			t.Errorf("%s: %v", place, err)
		}
		s.Clouds = place
		if _, err := s.clouds(nil); err == nil || !strings.Contains(err.Error(), "SVC_POINTCLOUDS: ") || !strings.Contains(err.Error(), "s3://bucket/prefix") {
			t.Errorf("%s: %v", place, err)
		}
	}
	list := filepath.Join(t.TempDir(), "feeds.json")
	if err := os.WriteFile(list, []byte(`{"feeds": [{"id": "a", "kind": "fuel", "url": "ftp://me:hunter2@example.org/a.csv"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := quick()
	s.Feeds = list
	if _, _, err := s.listed(); err == nil || !strings.Contains(err.Error(), "feeds[0]") || !strings.Contains(err.Error(), "ftp://") || strings.Contains(err.Error(), "hunter") {
		t.Errorf("a list: %v", err)
	}
}

// TestNetworksOfProxies takes an address alone as a network of one.
func TestNetworksOfProxies(t *testing.T) {
	var c commands
	parser, err := newParser(t.Context(), &c)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SVC_TRUSTED_PROXIES", "10.0.0.0/8, ::1,192.0.2.7")
	if _, err := parser.Parse([]string{"serve"}); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(c.Serve.TrustedProxies); got != "[10.0.0.0/8 ::1/128 192.0.2.7/32]" {
		t.Errorf("the networks are %s", got)
	}
	for _, wrong := range []string{"proxy.example.org", "10.0.0.0/33", "10.0.0.1,"} {
		t.Setenv("SVC_TRUSTED_PROXIES", wrong)
		if _, err := parser.Parse([]string{"serve"}); err == nil || !strings.Contains(err.Error(), "SVC_TRUSTED_PROXIES") || !strings.Contains(err.Error(), "10.0.0.0/8") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

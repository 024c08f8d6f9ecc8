package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine/chosen"
)

// address describes a setting whose value is an address.
type address struct {
	setting, value string
	schemes        []string // allowed schemes
	example        string
}

// addresses lists the settings whose value is one address.
func (s *settings) addresses() []address {
	return []address{
		{"SVC_BASE_URL", s.BaseURL, files.WebSchemes, "https://maps.example.org"},
		{"SVC_WEBSITE_URL", s.WebsiteURL, files.WebSchemes, "https://www.example.org"},
		{"SVC_GEOCODER_PROXY_URL", s.GeocoderProxyURL, files.WebSchemes, "http://photon.example.org:2322"},
		{"SVC_VROOM_URL", s.VroomURL, files.WebSchemes, "http://vroom.example.org:3000"},
		{"SVC_VOICE_URL", s.VoiceURL, files.WebSchemes, "http://speech.example.org:8880"},
		{"SVC_STRIPE_API", s.StripeAPI, files.WebSchemes, "http://127.0.0.1:12111"},
		{"SVC_X402_FACILITATOR", s.X402Facilitator, files.WebSchemes, "https://facilitator.example.org"},
		{"SVC_SMTP_URL", s.SMTPURL, []string{"smtp", "smtps"}, "smtp://user:password@mail.example.org:587"},
		{"SVC_REDIS_URL", s.RedisURL, []string{"redis", "rediss", "unix"}, "redis://:password@redis.example.org:6379/0"},
		{"SVC_DATABASE_URL", s.DatabaseURL, []string{"sqlite", "postgres", "postgresql"}, "postgres://user:password@db.example.org:5432/waygate"},
	}
}

// checkValhalla refuses lists of Valhallas with an address that is none or stands there twice.
func (s *settings) checkValhalla() error {
	for i, one := range s.ValhallaURL {
		if err := (address{"SVC_VALHALLA_URL", one, files.WebSchemes, "http://valhalla.example.org:8002"}).check(); err != nil || one == "" {
			return cmp.Or(err, errors.New("SVC_VALHALLA_URL has an empty address; separate the addresses by one comma"))
		}
		if slices.Contains(s.ValhallaURL[:i], one) {
			return fmt.Errorf("SVC_VALHALLA_URL has one address twice, the second at number %d", i+1)
		}
	}
	return nil
}

// osrmServers returns the addresses of SVC_OSRM_URL by their costing.
func (s *settings) osrmServers() (map[costing.Costing][]string, error) {
	servers := map[costing.Costing][]string{}
	for _, one := range s.OSRMURL {
		c, at := costing.Auto, one
		if name, rest, named := strings.Cut(one, "="); named && !strings.Contains(name, ":") {
			if c, at = costing.Named(name), rest; !c.Valid() {
				return nil, fmt.Errorf("SVC_OSRM_URL names the costing %q; it must be one of %s", name, strings.Join(costing.Names(costing.All[:]...), ", "))
			}
		}
		if err := (address{"SVC_OSRM_URL", at, files.WebSchemes, "auto=http://osrm.example.org:5000"}).check(); err != nil || at == "" {
			return nil, cmp.Or(err, fmt.Errorf("SVC_OSRM_URL has no address for the costing %s", c))
		}
		if slices.Contains(servers[c], at) {
			return nil, fmt.Errorf("SVC_OSRM_URL has one address twice for the costing %s", c)
		}
		servers[c] = append(servers[c], at)
	}
	return servers, nil
}

// rules reads SVC_ROUTING_RULES; nil where it is empty.
func (s *settings) rules() (list []chosen.Rule, err error) {
	if len(s.RoutingRules) > 0 && s.RoutingEngine != "auto" {
		return nil, fmt.Errorf("SVC_ROUTING_RULES and SVC_ROUTING_ENGINE=%s are both set; leave the engine at auto, or unset the rules", s.RoutingEngine)
	}
	const form = "as in pedestrian=valhalla+embedded or truck@alps=embedded"
	for _, one := range s.RoutingRules {
		left, right, named := strings.Cut(one, "=")
		name, region, located := strings.Cut(left, "@")
		r := chosen.Rule{Any: name == "*", Region: region, Engines: strings.Split(right, "+")}
		if !r.Any {
			r.Costing = costing.Named(name)
		}
		switch {
		case !named || located && region == "":
			return nil, fmt.Errorf("SVC_ROUTING_RULES has the rule %q; use COSTING[@REGION]=ENGINE[+ENGINE], %s", one, form)
		case !r.Any && !r.Costing.Valid():
			return nil, fmt.Errorf("SVC_ROUTING_RULES names the costing %q; it must be * or one of %s", name, strings.Join(costing.Names(costing.All[:]...), ", "))
		}
		for i, e := range r.Engines {
			set := map[string]bool{"embedded": true, "valhalla": len(s.ValhallaURL) > 0, "osrm": len(s.OSRMURL) > 0}
			if ok, known := set[e]; !known || !ok {
				if known {
					return nil, fmt.Errorf("SVC_ROUTING_RULES names the engine %s but SVC_%s_URL is empty", e, strings.ToUpper(e))
				}
				return nil, fmt.Errorf("SVC_ROUTING_RULES names the engine %q; it must be embedded, valhalla or osrm, %s", e, form)
			}
			if slices.Contains(r.Engines[:i], e) {
				return nil, fmt.Errorf("SVC_ROUTING_RULES has the engine %s twice in the rule %q", e, one)
			}
		}
		list = append(list, r)
	}
	return list, nil
}

// check refuses a value that is no address of an allowed scheme. It shows the value
// only if that cannot contain a password.
func (a address) check() error {
	if a.value == "" {
		return nil
	}
	shown := ""
	if !strings.ContainsAny(a.value, "@?") {
		shown = fmt.Sprintf(" is %q and", a.value)
	}
	scheme, rest, _ := strings.Cut(a.value, ":")
	file := scheme == "sqlite" || scheme == "unix" // what follows is a path
	host, slashes := strings.CutPrefix(rest, "//")
	if !slices.Contains(a.schemes, scheme) || !slashes && scheme != "sqlite" {
		return fmt.Errorf("%s%s must begin with %s, as in %s", a.setting, shown, begins(a.schemes), a.example)
	}
	if u, err := url.Parse(a.value); !file && (err != nil || u.Hostname() == "") {
		return fmt.Errorf("%s%s must name a host after %s://, as in %s; special characters of a password are percent-encoded", a.setting, shown, scheme, a.example)
	}
	if slices.Equal(a.schemes, files.WebSchemes) && strings.HasSuffix(host, "/") {
		return fmt.Errorf("%s%s must not end in a slash", a.setting, shown)
	}
	return nil
}

// begins lists the beginnings of addresses of some schemes.
func begins(schemes []string) string {
	var list []string
	for _, s := range schemes {
		if s == "sqlite" {
			list = append(list, "sqlite:")
			continue
		}
		list = append(list, s+"://")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// checkListen refuses a value that is no address and port to listen on; "" is allowed.
func checkListen(setting, value string) error {
	if value == "" {
		return nil
	}
	if _, _, err := net.SplitHostPort(value); err != nil {
		return fmt.Errorf("%s is %q; use an address and a port such as 127.0.0.1:8080, or :8080 for every address of the machine", setting, value)
	}
	return nil
}

// checkHost refuses a value that is no host, with or without a port.
func checkHost(setting, value string) error {
	if u, err := url.Parse("https://" + value); err != nil || u.Host != value || u.Hostname() == "" {
		return fmt.Errorf("%s has %q; use a host without scheme and path, such as styles.example.org or styles.example.org:8443", setting, value)
	}
	return nil
}

// networks are networks of addresses, separated by commas; a single address is a
// network of one.
type networks []netip.Prefix

// Decode reads networks from the command line or the environment and adds them.
func (n *networks) Decode(line *kong.DecodeContext) error {
	var list string
	if err := line.Scan.PopValueInto("networks", &list); err != nil {
		return err
	}
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimSpace(one)
		if ip, err := netip.ParseAddr(one); err == nil {
			*n = append(*n, netip.PrefixFrom(ip, ip.BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(one)
		if err != nil {
			return fmt.Errorf("%q is not a network; use an address such as 10.0.0.1, or a network such as 10.0.0.0/8 or fd00::/8", one)
		}
		*n = append(*n, p)
	}
	return nil
}

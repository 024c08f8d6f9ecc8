package main

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"
)

// reachTime is how long a server that a setting names may take to accept a connection.
const reachTime = 5 * time.Second

// schemePorts are the default ports of addresses.
var schemePorts = map[string]string{"http": "80", "https": "443", "smtp": "587", "smtps": "465"}

// reach connects once to each server that is otherwise only asked when a caller needs
// it, and logs a warning if that fails, so that a wrong address is noticed at the
// start.
func (s *settings) reach(ctx context.Context, log *slog.Logger) {
	servers := []struct{ setting, address string }{
		{"SVC_VROOM_URL", s.VroomURL},
		{"SVC_GEOCODER_PROXY_URL", s.GeocoderProxyURL},
		{"SVC_SMTP_URL", s.SMTPURL},
		{"SVC_X402_FACILITATOR", s.X402Facilitator},
	}
	osrm, _ := s.osrmServers() // the settings' check has refused what is wrong
	for _, list := range osrm {
		for _, address := range list {
			servers = append(servers, struct{ setting, address string }{"SVC_OSRM_URL", address})
		}
	}
	for _, address := range s.ValhallaURL {
		servers = append(servers, struct{ setting, address string }{"SVC_VALHALLA_URL", address})
	}
	for _, server := range servers {
		if server.address == "" {
			continue
		}
		at, err := url.Parse(server.address)
		if err != nil {
			continue // the settings' check has refused it
		}
		if proxy, err := http.ProxyFromEnvironment(&http.Request{URL: at}); err == nil && proxy != nil {
			at = proxy
		}
		to := net.JoinHostPort(at.Hostname(), cmp.Or(at.Port(), schemePorts[at.Scheme]))
		trying, cancel := context.WithTimeout(ctx, reachTime)
		c, err := new(net.Dialer).DialContext(trying, "tcp", to)
		cancel()
		switch {
		case err == nil:
			_ = c.Close()
		case ctx.Err() == nil:
			log.Warn("cannot connect to a server that a setting names", "setting", server.setting, "server", to, "error", err)
		}
	}
}

package account

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/waygate/waygate/account/idn"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// webhookMax bounds the address of a webhook in bytes.
const webhookMax = 2048

// WebhookSecret makes a new signing secret for a key's webhooks (whsec_ and 32
// random bytes in base64) and, where address is not "", registers where account
// events go. The address must be https and not be private by name, unless
// Options.PrivateWebhooks. A revoked key is forbidden.
func (a *Accounts) WebhookSecret(ctx context.Context, keyID, address string) (secret string, err error) {
	var to *string
	if address != "" {
		if message := notWebhook(address, a.options.PrivateWebhooks); message != "" {
			return "", fault.Invalid(fault.Violation{Location: "url", Value: address, Message: message})
		}
		to = &address
	}
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails: it ends the process instead
	secret = "whsec_" + base64.StdEncoding.EncodeToString(random[:])
	err = a.tx(ctx, func(tx *store.Tx) error {
		if _, err := keyBy(ctx, tx, keyID); err != nil {
			return err
		}
		n, err := tx.Exec(ctx, "UPDATE keys SET webhook_secret = $1, webhook_url = COALESCE($2, webhook_url) WHERE id = $3 AND revoked_at IS NULL", secret, to, keyID)
		if err == nil && n == 0 {
			return fault.New(fault.Forbidden, "this key is revoked")
		}
		return err
	})
	if err != nil {
		return "", err
	}
	a.changed(keyID)
	return secret, nil
}

// notWebhook tells what keeps an address from being a webhook's; "" is nothing.
// Names that lead to private addresses are found when it is called. With
// private it may lead anywhere, without TLS too.
func notWebhook(address string, private bool) string {
	u, err := url.Parse(address)
	scheme := err == nil && (u.Scheme == "https" || private && u.Scheme == "http")
	switch {
	case len(address) > webhookMax:
		return "has " + strconv.Itoa(len(address)) + " bytes, the limit is " + strconv.Itoa(webhookMax)
	case !scheme || !printable(address) || strings.ContainsAny(address, " \\") || u.Opaque != "" || u.Hostname() == "":
		return "must be an absolute https address"
	case u.User != nil:
		return "must not have a user name or password in it"
	case u.Fragment != "" || strings.HasSuffix(address, "#"):
		return "must not have a fragment"
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "has no valid port"
		}
	}
	if private {
		return ""
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil {
		if !public(ip.Unmap()) {
			return "must not be a private address"
		}
		return ""
	}
	host, ok := idn.ASCII(strings.TrimSuffix(u.Hostname(), "."))
	// What ends in a number would be read as an IPv4 address in an odd form.
	if !ok || !strings.Contains(host, ".") || oddNumber(host[strings.LastIndexByte(host, '.')+1:]) {
		return "must have the full name of a public host"
	}
	for _, private := range []string{".localhost", ".local", ".internal", ".lan", ".home.arpa", ".intranet", ".corp", ".home"} {
		if strings.HasSuffix(host, private) {
			return "must not be a private host"
		}
	}
	return ""
}

func public(ip netip.Addr) bool {
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && ip.Zone() == ""
}

// oddNumber reports whether a label is a number to the readers of addresses:
// decimal, or 0x and hexadecimal.
func oddNumber(label string) bool {
	rest, hex := strings.CutPrefix(label, "0x")
	if hex {
		return strings.Trim(rest, "0123456789abcdef") == ""
	}
	return numeric(label)
}

package internet

import (
	"net/netip"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPublic(t *testing.T) {
	for text := range strings.FieldsSeq(`
		0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 100.100.100.200
		127.0.0.1 127.255.255.254 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255
		192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.7
		203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16
		:: ::1 ::2 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1
		64:ff9b::127.0.0.1 64:ff9b::10.1.2.3 64:ff9b::169.254.169.254 64:ff9b:1::1 64:ff9b:1::8.8.8.8
		100::1 2001::1 2001:0:7f00:1::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::1 2002:a00:1::1
		3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%lo fec0::1 ff02::1 ff0e::1
		2606:4700:4700::1111%lo 4000::1`) {
		if Public(netip.MustParseAddr(text)) {
			t.Errorf("%s is open", text)
		}
	}
	for text := range strings.FieldsSeq(`
		1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
		172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
		::ffff:8.8.8.8 64:ff9b::8.8.8.8 2001:200::1 2606:4700:4700::1111 2a00:1450::1`) {
		if !Public(netip.MustParseAddr(text)) {
			t.Errorf("%s is closed", text)
		}
	}
	if Public(netip.Addr{}) {
		t.Error("nothing is open")
	}
}

// An IPv4 address is judged the same in each of its forms that lead to it, and
// what Go calls private is closed.
func TestPublicForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := [4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "bytes"))
		plain := netip.AddrFrom4(b)
		mapped := netip.AddrFrom16(plain.As16())
		translated := netip.MustParsePrefix("64:ff9b::/96").Addr().As16()
		copy(translated[12:], b[:])
		for _, form := range []netip.Addr{mapped, netip.AddrFrom16(translated)} {
			if Public(form) != Public(plain) {
				t.Errorf("%s and %s differ", form, plain)
			}
		}
		wide := netip.AddrFrom16([16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "wide")))
		for _, a := range []netip.Addr{plain, wide} {
			if Public(a) && (a.IsPrivate() || !a.IsGlobalUnicast()) {
				t.Errorf("%s is open", a)
			}
		}
	})
}

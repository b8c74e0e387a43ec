package check

import (
	"encoding/json"
	"net/netip"
	"strings"
	"unicode"

	"cove/internal/proxy"
	"cove/internal/wording"
)

// readAnswer reads what the check page says: a JSON object, or a text whose first IP address counts.
func readAnswer(body []byte) (proxy.Check, error) {
	var object map[string]any
	if json.Unmarshal(body, &object) != nil {
		if ip := firstAddress(string(body)); ip != "" {
			return proxy.Check{IP: ip}, nil
		}
		return proxy.Check{}, &pageError{"The answer of the check page has no IP address."}
	}

	text := func(names ...string) string {
		for _, name := range names {
			if s, ok := object[name].(string); ok && strings.TrimSpace(s) != "" {
				return wording.Shorten(strings.Map(visible, strings.TrimSpace(s)), 100)
			}
		}
		return ""
	}
	c := proxy.Check{
		IP:       firstAddress(text("ip", "query", "origin")),
		Country:  text("country_code", "countryCode", "country"),
		Region:   text("region", "regionName"),
		City:     text("city"),
		Timezone: text("timezone"),
	}
	if c.IP == "" {
		return proxy.Check{}, &pageError{"The answer of the check page has no IP address."}
	}

	return c, nil
}

// visible drops what a terminal would obey.
func visible(r rune) rune {
	if !unicode.IsPrint(r) {
		return -1
	}
	return r
}

// firstAddress returns the first IP address in a text, or "".
func firstAddress(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !strings.ContainsRune("0123456789abcdefABCDEF.:", r)
	})
	for _, w := range words {
		if ip, err := netip.ParseAddr(strings.Trim(w, ".")); err == nil && !ip.IsUnspecified() {
			return ip.String()
		}
	}
	return ""
}

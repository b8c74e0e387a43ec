package wire

import (
	"cove/api"
	"cove/internal/proxy"
)

// ShowCheck returns the result of a check of p for an answer.
func ShowCheck(c proxy.Check, p proxy.Proxy) api.ProxyCheck {
	out := api.ProxyCheck{
		Success: c.OK, Status: c.OK, IP: c.IP, Country: c.Country, Region: c.Region, City: c.City, Timezone: c.Timezone,
		Latency: c.Latency, CreatedAt: c.At, Error: c.Error,
	}
	switch {
	case !c.OK:
	case c.IP != "":
		out.Tested = api.TestedPage
	case p.Type == "socks5":
		out.Tested = api.TestedLogin
	default:
		out.Tested = api.TestedConnection
	}
	return out
}

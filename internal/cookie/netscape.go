package cookie

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"cove/internal/fault"
	"cove/internal/wording"
)

const httpOnly = "#HttpOnly_"

// readNetscape reads a cookie file as Netscape, curl and wget write it: tabs between domain, subdomains, path, secure,
// expiry, name and value.
func readNetscape(file string, o Options) (Set, error) {
	r := reader{Options: o}
	rows := 0
	for i, line := range strings.Split(file, "\n") {
		line = strings.TrimSuffix(line, "\r")
		comment := strings.HasPrefix(line, "#") && !strings.HasPrefix(line, httpOnly)
		if comment || strings.TrimSpace(line) == "" {
			continue
		}
		rows++
		c, why := readLine(line)
		if why != "" && rows == 1 && !strings.Contains(line, "\t") {
			return Set{}, errNoFile(line)
		}
		if err := r.add(i+1, "Line", c, why); err != nil {
			return Set{}, err
		}
	}
	return r.done(), nil
}

// errNoFile refuses a text that is no cookie file at all.
func errNoFile(line string) error {
	if columns := strings.Fields(line); len(columns) >= 6 {
		if _, is := parseBool(columns[1]); is {
			return fault.Unprocessablef(Field, "The cookie file has spaces between its columns, and not tabs.").
				WithHint("Export it again, and do not paste it through a program that replaces tabs.")
		}
	}
	if strings.Contains(line, "=") {
		return fault.Unprocessablef(Field, "The cookies are a list of names and values without domains.").
			WithHint("Cove must know which site a cookie belongs to. " + formats)
	}
	return errFormat
}

func readLine(line string) (c Cookie, why string) {
	line, c.HTTPOnly = strings.CutPrefix(line, httpOnly)
	parts := strings.SplitN(line, "\t", 7)
	if len(parts) == 6 { // the tab before an empty value is easily lost
		parts = append(parts, "")
	}
	if len(parts) != 7 {
		return c, "does not have seven columns with tabs between them"
	}
	subdomains, known := parseBool(parts[1])
	secure, also := parseBool(parts[3])
	if !known || !also {
		return c, "has a second or fourth column that is neither TRUE nor FALSE"
	}
	c.Domain, c.HostOnly, c.Path, c.Secure = parts[0], !subdomains, parts[2], secure
	c.Expires, why = parseExpiry(parts[4])
	c.Name, c.Value = parts[5], parts[6]
	return c, why
}

func parseBool(s string) (value, ok bool) {
	switch strings.ToUpper(s) {
	case "TRUE":
		return true, true
	case "FALSE":
		return false, true
	}
	return false, false
}

// netscape writes a cookie file. The format has no room for sameSite, partitions and parts of a second: these are
// lost. A cookie that the format would change into another one is left out, and a comment counts them.
func netscape(cookies []Cookie) []byte {
	var out strings.Builder
	out.WriteString("# Netscape HTTP Cookie File\n")
	for _, c := range cookies {
		if c.Partition != "" {
			continue
		}
		if c.HTTPOnly {
			out.WriteString(httpOnly)
		}
		out.WriteString(strings.Join([]string{
			c.DottedDomain(), word(!c.HostOnly), c.Path, word(c.Secure),
			strconv.FormatFloat(math.Ceil(c.Expires), 'f', 0, 64), c.Name, c.Value,
		}, "\t"))
		out.WriteByte('\n')
	}
	if n := Netscape.Omitted(cookies); n > 0 {
		fmt.Fprintf(&out, "# Left out: %s, which this format cannot hold.\n", wording.Count(n, "partitioned cookie"))
	}
	return []byte(out.String())
}

func word(b bool) string {
	if b {
		return "TRUE"
	}
	return "FALSE"
}

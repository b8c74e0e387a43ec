package inspect

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/page/devlog"
	"cove/internal/redact"
	"cove/internal/wording"
)

// ListNetworkRequestsTool returns the tool list_network_requests.
func ListNetworkRequestsTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "list_network_requests", Text: "List requests since the last navigation.", ReadOnly: true,
	}, listNetworkRequests)
}

//nolint:lll // a tag has no line breaks
type networkInput struct {
	mcpserver.OnPage
	paged
	ResourceTypes            []string `json:"resourceTypes,omitempty" enum:"document|stylesheet|image|media|font|script|texttrack|xhr|fetch|prefetch|eventsource|websocket|manifest|signedexchange|ping|cspviolationreport|preflight|fedcm|other"`
	IncludePreservedRequests bool     `json:"includePreservedRequests,omitempty" say:"of the last 3 navigations too"`
}

func listNetworkRequests(ctx context.Context, c *mcpserver.Call, in networkInput) error {
	t, err := c.FindTab(ctx, in.OnPage)
	if err != nil {
		return err
	}

	t.AwaitLog(ctx)
	all := slices.DeleteFunc(t.Log.Requests(in.IncludePreservedRequests), func(r devlog.Request) bool {
		return len(in.ResourceTypes) > 0 && !slices.Contains(in.ResourceTypes, r.Kind)
	})
	c.Head("## Network requests")
	from, to, err := in.bounds(c, len(all), usualSize)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		c.Say("No requests found.")
		return nil
	}

	var b strings.Builder
	for _, r := range all[from:to] {
		address := wording.Shorten(c.Redact.URL(r.URL), 300)
		fmt.Fprintf(&b, "reqid=%d %s %s [%s]\n", r.ID, r.Method, address, statusText(r))
	}
	c.Show(b.String())
	return nil
}

func statusText(r devlog.Request) string {
	switch {
	// The browser aborts a style sheet that is not one, and an empty answer. Their status says more.
	case r.Failure != "" && (r.Status == 0 || r.Failure != "net::ERR_ABORTED"):
		return r.Failure
	case r.Status != 0:
		return fmt.Sprint(r.Status)
	}
	return "pending"
}

// GetNetworkRequestTool returns the tool get_network_request.
func GetNetworkRequestTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "get_network_request", Text: "Show one request with headers and bodies. Credentials are left out.",
		ReadOnly: true,
	}, getNetworkRequest)
}

type requestInput struct {
	mcpserver.OnPage
	ReqID            *mcpserver.Number `json:"reqid,omitempty"`
	RequestFilePath  string            `json:"requestFilePath,omitempty" say:"save the request's body"`
	ResponseFilePath string            `json:"responseFilePath,omitempty" say:"save the response's body"`
}

// maxBody is how many bytes of a body an agent reads.
const maxBody = 10_000

func getNetworkRequest(ctx context.Context, c *mcpserver.Call, in requestInput) error {
	t, err := c.FindTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	if in.ReqID == nil {
		c.Say("No request was named: list_network_requests shows their reqid.")
		return nil
	}
	r, ok := t.Log.Request(int(*in.ReqID))
	if !ok {
		return fault.New(fault.CodeRequest,
			fmt.Sprintf("There is no request %d on this page.", int(*in.ReqID)),
			"list_network_requests shows what there is.")
	}

	c.Show("## Request " + c.Redact.URL(r.URL) + "\nStatus: " + statusText(r) +
		"\n### Request Headers\n" + headerText(c, r.RequestHeaders))
	if body := redact.Body(t.Log.RequestBody(ctx, r)); body != "" {
		if err := addBody(ctx, c, "### Request Body", []byte(body), in.RequestFilePath); err != nil {
			return err
		}
	} else if in.RequestFilePath != "" {
		c.Say("The request has no body: nothing was saved for it.")
	}
	if r.ResponseHeaders != nil {
		c.Show("### Response Headers\n" + headerText(c, r.ResponseHeaders))
	}
	return addResponse(ctx, c, t, r, in.ResponseFilePath)
}

// addResponse adds the body of a response, or says why there is none.
func addResponse(ctx context.Context, c *mcpserver.Call, t *page.Tab, r devlog.Request, file string) error {
	const none = "none"
	missing := ""
	var body []byte
	switch {
	case !r.Finished:
		missing = "still coming"
	case r.Failure != "" || (r.Status >= 300 && r.Status < 400):
		missing = none
	default:
		var err error // the browser retains bodies for a while only, and no large ones
		if body, err = t.Log.ResponseBody(ctx, r); err != nil {
			missing = "not kept by the browser"
		}
	}

	switch {
	case missing != "" && file != "":
		return fault.New(fault.CodeBody, "The response's body was not saved: "+missing+".",
			"Go on without it, or fetch the address with evaluate_script and filePath.")
	case missing == none:
		return nil
	case missing != "":
		c.Say("### Response Body\n<%s>", missing)
		return nil
	}
	return addBody(ctx, c, "### Response Body", body, file)
}

// addBody adds a body to the result, or saves it.
func addBody(ctx context.Context, c *mcpserver.Call, title string, data []byte, file string) error {
	if file != "" {
		full, err := c.Files.Save(ctx, file, data)
		if err != nil {
			return err
		}
		c.SaySaved(title+"\nSaved to", full)
		return nil
	}

	c.Head("%s", title)
	data = c.Redact.Bytes(data) // before it is cut
	switch {
	case len(data) == 0:
		c.Say("<empty>")
	case !utf8.Valid(data[:min(len(data), 1000)]) && !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		c.Say("<binary, %d bytes; give a file path to save it>", len(data))
	case len(data) > maxBody:
		c.Show(strings.ToValidUTF8(string(data[:maxBody]), "") +
			fmt.Sprintf("\n…(+%d bytes; give a file path to save all)", len(data)-maxBody))
	default:
		c.Show(string(data))
	}
	return nil
}

func headerText(c *mcpserver.Call, h map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(h)) {
		b.WriteString("- " + name + ":" + c.Redact.Words(redact.Header(name, h[name]), 1000) + "\n")
	}
	return b.String()
}

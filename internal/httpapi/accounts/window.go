package accounts

import (
	"net/http"
	"strconv"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/signin"
)

// WindowCode answers POST /ui/code. It makes a link that signs a page in. The page counts as the person, so it requires
// what the person has: the PIN as well, now or when the page signs in.
func (h *Handlers) WindowCode(c *call.Call) (any, error) {
	var in api.NewWindowCode
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if err := c.RequirePerson(); err != nil {
		return nil, err
	}
	if !in.NeedsPIN {
		if err := c.Confirm(); err != nil {
			return nil, err
		}
	}
	who, _, err := c.Credential()
	if err != nil {
		return nil, err
	}
	code, until := h.Pages.Code(who, in.NeedsPIN)
	return api.WindowCode{Success: true, Code: code,
		URL: "http://127.0.0.1:" + strconv.Itoa(h.Port) + "/#code=" + code, ExpiresAt: until.UTC()}, nil
}

// SignIn answers POST /ui/session. It trades a link's code for the cookie and the key of a page.
func (h *Handlers) SignIn(c *call.Call) (any, error) {
	var in api.WindowSignIn
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if h.Pages.NeedsPIN(in.Code) {
		if err := c.ConfirmAgain(); err != nil {
			return nil, err
		}
	}
	cookie, key, ok := h.Pages.Exchange(in.Code)
	if !ok {
		return nil, fault.New(fault.CodeSignInLink, "This sign-in link was already used or has expired.",
			"Get a new one with: cove ui")
	}
	h.setCookie(c, cookie, signin.Life)
	return api.WindowSession{Success: true, Key: key}, nil
}

// SignedIn answers GET /ui/session. It confirms to a page that it is signed in.
func (h *Handlers) SignedIn(c *call.Call) (any, error) {
	return api.OK{Success: true}, c.RequireOwner()
}

// SignOut answers DELETE /ui/session. It ends a page's session. Whoever has its cookie can.
func (h *Handlers) SignOut(c *call.Call) (any, error) {
	if err := c.RequireOwner(); err != nil {
		return nil, err
	}
	if cookie, err := c.Cookie(signin.CookieName(h.Port)); err == nil {
		h.Pages.Forget(cookie.Value)
	}
	h.setCookie(c, "", -time.Second)
	return api.OK{Success: true}, nil
}

func (h *Handlers) setCookie(c *call.Call, value string, life time.Duration) {
	http.SetCookie(c.W, &http.Cookie{Name: signin.CookieName(h.Port), Value: value, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode, MaxAge: int(life.Seconds())})
}

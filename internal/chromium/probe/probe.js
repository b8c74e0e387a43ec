(async () => {
  const n = navigator;
  const text = (v) => (typeof v === 'string' ? v : '');
  const number = (v) => (typeof v === 'number' && isFinite(v) ? v : 0);

  const gl = (kind) => {
    const context = document.createElement('canvas').getContext(kind);
    if (!context) return null;
    const unmasked = context.getExtension('WEBGL_debug_renderer_info');
    return {
      context,
      vendor: text(context.getParameter(context.VENDOR)),
      renderer: text(context.getParameter(context.RENDERER)),
      unmaskedVendor: unmasked ? text(context.getParameter(unmasked.UNMASKED_VENDOR_WEBGL)) : '',
      unmaskedRenderer: unmasked ? text(context.getParameter(unmasked.UNMASKED_RENDERER_WEBGL)) : '',
    };
  };
  const maximum = (context) => {
    const found = {};
    for (const name in context) {
      if (!name.startsWith('MAX_')) continue;
      const value = context.getParameter(context[name]);
      if (typeof value === 'number') found[name] = value;
      else if (value && value.length) found[name] = Array.from(value);
    }
    return found;
  };

  const one = gl('webgl');
  const two = gl('webgl2');
  const shown = one || two || {};
  const hints = n.userAgentData
    ? await n.userAgentData.getHighEntropyValues(['architecture', 'platformVersion', 'uaFullVersion'])
    : {};
  const line = n.connection || {};
  return {
    userAgent: n.userAgent,
    platform: n.platform,
    platformVersion: text(hints.platformVersion),
    uaFullVersion: text(hints.uaFullVersion),
    appCodeName: n.appCodeName,
    appVersion: n.appVersion,
    product: n.product,
    productSub: n.productSub,
    vendor: n.vendor,
    vendorSub: n.vendorSub,
    language: n.language,
    languages: Array.from(n.languages),
    doNotTrack: n.doNotTrack === '1',
    deviceMemory: number(n.deviceMemory),
    hardwareConcurrency: number(n.hardwareConcurrency),
    maxTouchPoints: number(n.maxTouchPoints),
    screen: {
      width: screen.width, height: screen.height, availWidth: screen.availWidth, availHeight: screen.availHeight,
      colorDepth: screen.colorDepth, pixelDepth: screen.pixelDepth, pixelRatio: devicePixelRatio,
    },
    connection: {
      downlink: number(line.downlink), rtt: number(line.rtt), effectiveType: text(line.effectiveType),
      saveData: line.saveData === true,
    },
    architecture: text(hints.architecture),
    system: text(hints.platform),
    webgl: {
      vendor: text(shown.vendor), renderer: text(shown.renderer),
      unmaskedVendor: text(shown.unmaskedVendor), unmaskedRenderer: text(shown.unmaskedRenderer),
    },
    webgl2Maximum: two ? maximum(two.context) : {},
  };
})()

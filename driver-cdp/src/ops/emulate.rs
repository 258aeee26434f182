//! `Op::Emulate`.

use crate::session::Link;
use backlot_core::page::TabId;
use backlot_core::port::{Device, DriverError, Emulation, Millis, TabWrite};
use serde_json::{Value, json};

/// Makes a tab believe.
pub(super) async fn emulate(
    link: &Link,
    what: Emulation,
    write: TabWrite,
    deadline: Millis,
) -> Result<(), DriverError> {
    let tab = write.tab;
    super::tabs::check_permit(&write, "Emulation")?;
    let send = |method, params: Value| link.tab(tab, method, params, deadline);
    match what {
        Emulation::Device(device) => device_of(link, tab, &device, deadline).await,
        Emulation::Viewport { width, height } => {
            let params = json!({
                "width": width, "height": height, "deviceScaleFactor": 0, "mobile": false
            });
            send("Emulation.setDeviceMetricsOverride", params).await?;
            keep_viewport(link, tab, (width, height));
            Ok(())
        }
        Emulation::ColorScheme(scheme) => {
            let scheme = scheme.unwrap_or_default();
            let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
            send("Emulation.setEmulatedMedia", json!({ "features": [feature] })).await.map(drop)
        }
        Emulation::Timezone(zone) => timezone(link, tab, zone, deadline).await,
        Emulation::Locale(locale) => {
            match send("Emulation.setLocaleOverride", json!({ "locale": locale })).await {
                // The browser allows one at a time and calls the same one again an error.
                Err(DriverError::Refused { reason, .. })
                    if reason.contains("already in effect") =>
                {
                    send("Emulation.setLocaleOverride", json!({})).await?;
                    send("Emulation.setLocaleOverride", json!({ "locale": locale })).await.map(drop)
                }
                ended => ended.map(drop),
            }
        }
    }
}

/// While one zone is in force the browser says yes to any word for another, so that one is taken back first; and given again
/// where the new one is none.
async fn timezone(
    link: &Link,
    tab: TabId,
    zone: String,
    deadline: Millis,
) -> Result<(), DriverError> {
    let set = |zone: &str| {
        link.tab(tab, "Emulation.setTimezoneOverride", json!({ "timezoneId": zone }), deadline)
    };
    let before = link.book().tab(tab)?.timezone.clone();
    if before.is_some() {
        set("").await?;
    }
    if let Err(error) = set(&zone).await {
        if let Some(before) = &before {
            set(before).await?;
        }
        return Err(error);
    }
    if let Some(tab) = link.book().tabs.get_mut(&tab) {
        tab.timezone = Some(zone);
    }
    Ok(())
}

async fn device_of(
    link: &Link,
    tab: TabId,
    device: &Device,
    deadline: Millis,
) -> Result<(), DriverError> {
    let send = |method, params: Value| link.tab(tab, method, params, deadline);
    let ((width, height), (screen_width, screen_height)) = (device.viewport, device.screen);
    let turned = if width > height { "landscapePrimary" } else { "portraitPrimary" };
    let metrics = json!({
        "width": width,
        "height": height,
        "screenWidth": screen_width,
        "screenHeight": screen_height,
        "deviceScaleFactor": device.scale,
        "mobile": device.is_mobile,
        "screenOrientation": { "type": turned, "angle": if width > height && device.is_mobile { 90 } else { 0 } },
    });
    if !device.user_agent.is_empty() {
        send("Emulation.setUserAgentOverride", json!({ "userAgent": device.user_agent })).await?;
    }
    send("Emulation.setDeviceMetricsOverride", metrics).await?;
    let touch = json!({ "enabled": device.has_touch, "maxTouchPoints": 5 });
    send("Emulation.setTouchEmulationEnabled", touch).await?;
    keep_viewport(link, tab, device.viewport);
    Ok(())
}

fn keep_viewport(link: &Link, tab: TabId, viewport: (u32, u32)) {
    if let Some(tab) = link.book().tabs.get_mut(&tab) {
        tab.viewport = Some(viewport);
    }
}

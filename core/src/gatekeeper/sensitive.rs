//! Origins where no tool writes: payment, banking, brokers, government, extension stores. A built-in list that users may
//! extend and cannot shrink.

/// Hosts; each stands for itself and every host under it.
const SENSITIVE_HOSTS: &[&str] = &[
    "chromewebstore.google.com",
    "microsoftedge.microsoft.com",
    "paypal.com",
    "stripe.com",
    "pay.google.com",
    "alipay.com",
    "pay.weixin.qq.com",
    "unionpay.com",
    "unionpayintl.com",
    "icbc.com.cn",
    "ccb.com",
    "abchina.com",
    "boc.cn",
    "bankcomm.com",
    "cmbchina.com",
    "chase.com",
    "bankofamerica.com",
    "wellsfargo.com",
    "citibank.com",
    "hsbc.com",
    "fidelity.com",
    "schwab.com",
    "etrade.com",
    "futuhk.com",
    "tigerbrokers.com",
    "gov",
    "gov.cn",
    "gov.uk",
];

/// Whether a host (lower case, no trailing dot) is on the built-in list or the user's own.
pub fn is_sensitive_host(host: &str, extra: &[alloc::string::String]) -> bool {
    let under = |suffix: &str| {
        host.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    SENSITIVE_HOSTS.iter().any(|suffix| under(suffix)) || extra.iter().any(|suffix| under(suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_stands_for_itself_and_those_under_it() {
        for host in ["paypal.com", "www.paypal.com", "tax.service.gov.uk", "irs.gov"] {
            assert!(is_sensitive_host(host, &[]), "{host}");
        }
        for host in ["notpaypal.com", "paypal.com.evil.test", "gov.example", ""] {
            assert!(!is_sensitive_host(host, &[]), "{host}");
        }
        assert!(is_sensitive_host("a.bank.test", &["bank.test".into()]));
    }
}

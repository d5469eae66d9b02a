import type { DeliveryDetails } from '../../dispatch/operations/delivery-details.ts';

/** Within single quotes of a shell nothing has a meaning but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Lines for a shell that repeat a delivery to a program on one's own machine, signed anew. The secret is a placeholder:
 * whoever runs it has theirs, and no page shows it.
 */
export const repeatRequest = ({ delivery, event, test }: DeliveryDetails, body: string): string =>
  `URL=http://localhost:8080/hook
SECRET='whsec_…' # your signing secret
BODY=${quoted(body)}
TIME=$(date +%s)
KEY=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
SIGNED=$(printf %s "${delivery}.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)
OWN=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/.* //')
curl -sS -i "$URL" --data-binary "$BODY" \\
  -H 'Content-Type: application/json' \\
  -H 'X-Service-Event: ${event}' \\
${test ? "  -H 'X-Service-Test: true' \\\n" : ''}  -H 'X-Service-Delivery: ${delivery}' \\
  -H "X-Service-Timestamp: $(date -u +%Y-%m-%dT%H:%M:%SZ)" \\
  -H "X-Service-Signature: sha256=$OWN" \\
  -H 'webhook-id: ${delivery}' \\
  -H "webhook-timestamp: $TIME" \\
  -H "webhook-signature: v1,$SIGNED"`;

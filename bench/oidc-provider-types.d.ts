/** What the bench needs of oidc-provider 9, which brings no types. */
declare module 'oidc-provider' {
  type Payload = Record<string, unknown>;

  export default class Provider {
    constructor(issuer: string, configuration: Payload);
    readonly Client: { find(id: string): Promise<object | undefined> };
    readonly Grant: new (of: Payload) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    readonly AuthorizationCode: new (of: Payload) => { save(): Promise<string> };
    listen(port: number, host: string, listening: () => void): { address(): unknown };
  }
}
